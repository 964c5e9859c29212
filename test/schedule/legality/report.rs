//! The figures of a run: printed, and written to `docs/legality.md`.

use super::Case;
use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;
use std::sync::Mutex;
use std::time::Duration;

/// The outcome of the cases of one primitive.
#[derive(Default)]
pub struct Tally {
    pub legal: usize,
    pub legal_dynamic: usize,
    pub accepted: usize,
    /// The number of cases that are legal, accepted, and have dynamic sizes.
    pub dynamic: usize,
    pub illegal: usize,
    pub wrong: usize,
}

impl Tally {
    pub fn add(&mut self, case: &Case) {
        let is_accepted = case.refusal.is_none();
        match &case.difference {
            Some(_) => self.illegal += 1,
            None => {
                self.legal += 1;
                self.legal_dynamic += usize::from(case.is_dynamic);
                self.accepted += usize::from(is_accepted);
                self.dynamic += usize::from(is_accepted && case.is_dynamic);
            }
        }
        self.wrong += usize::from(case.is_wrong);
    }

    /// The accepted share of the legal cases, in percent, rounded down.
    pub fn share(&self) -> usize {
        100 * self.accepted / self.legal.max(1)
    }
}

/// The outcome of all cases.
pub struct Report {
    pub tallies: BTreeMap<&'static str, Tally>,
    /// The legal steps that were refused, one line each.
    refused: Vec<String>,
    /// The number of refusals by reason.
    reasons: BTreeMap<String, usize>,
    /// The times of the checks, in increasing order.
    times: Vec<Duration>,
    /// The slowest step.
    slowest: String,
}

/// The figures on record.
pub fn figures() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/legality.md");
    std::fs::read_to_string(path).expect("the file is there")
}

impl Report {
    pub fn of(cases: &[Case]) -> Report {
        let mut tallies: BTreeMap<&'static str, Tally> = BTreeMap::new();
        let (mut refused, mut reasons) = (vec![], BTreeMap::new());
        for case in cases {
            tallies.entry(case.primitive).or_default().add(case);
            let Some(refusal) = case.refusal.as_ref().filter(|_| case.difference.is_none()) else {
                continue;
            };
            refused.push(format!("{} ({}): {}", case.step, case.origin, refusal.message));
            let reason = format!("{} (C{}) {}", case.primitive, refusal.condition, refusal.kind);
            *reasons.entry(reason).or_default() += 1;
        }
        let mut times: Vec<Duration> = cases.iter().flat_map(|case| case.times.clone()).collect();
        times.sort_unstable();
        refused.sort_unstable();
        let longest = |case: &&Case| case.times.iter().max().copied();
        let slowest = cases.iter().max_by_key(longest);
        let slowest = slowest.map(|case| format!("{} ({})", case.step, case.origin));
        Report { tallies, refused, reasons, times, slowest: slowest.unwrap_or_default() }
    }

    /// The time at a percentile.
    fn time(&self, percent: usize) -> Duration {
        let place = (self.times.len() * percent / 100).min(self.times.len().saturating_sub(1));
        self.times.get(place).copied().unwrap_or_default()
    }

    /// Writes a section of `docs/legality.md`, between its opening and closing lines.
    pub fn write(&self, section: &str) {
        // The tests of a run write one after the other.
        static FILE: Mutex<()> = Mutex::new(());
        let _guard = FILE.lock().expect("nobody ends with it");
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/legality.md");
        let text = std::fs::read_to_string(&path).expect("the file is there");
        let open = format!("<!-- {section} -->\n");
        let close = format!("<!-- end of {section} -->\n");
        let (head, rest) = text.split_once(&open).expect("the section is there");
        let (_, tail) = rest.split_once(&close).expect("the section ends");
        let text = format!("{head}{open}{}{close}{tail}", self.markdown());
        std::fs::write(path, text).expect("the file can be written");
    }

    fn markdown(&self) -> String {
        let mut text = String::from(
            "| primitive | legal | accepted | share | accepted, dynamic sizes | illegal | wrongly accepted |\n\
             |---|---|---|---|---|---|---|\n",
        );
        let mut all = Tally::default();
        for (name, tally) in &self.tallies {
            text += &row(&format!("`{name}`"), tally);
            all.legal += tally.legal;
            all.accepted += tally.accepted;
            all.dynamic += tally.dynamic;
            all.illegal += tally.illegal;
            all.wrong += tally.wrong;
        }
        text += &row("all", &all);
        let at = |percent| self.time(percent).as_secs_f64() * 1e3;
        text += &format!(
            "\n{} checks, of a {} build: p50 {:.1} ms, p99 {:.1} ms, longest {:.1} ms.\n",
            self.times.len(),
            if cfg!(debug_assertions) { "debug" } else { "release" },
            at(50),
            at(99),
            at(100)
        );
        if !self.reasons.is_empty() {
            text += "\n| legal steps that are refused | cases |\n|---|---|\n";
        }
        for (reason, n) in &self.reasons {
            text += &format!("| {reason} | {n} |\n");
        }
        text
    }
}

fn row(name: &str, tally: &Tally) -> String {
    let Tally { legal, accepted, dynamic, illegal, wrong, .. } = tally;
    let share = tally.share();
    format!("| {name} | {legal} | {accepted} | {share} % | {dynamic} | {illegal} | {wrong} |\n")
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        writeln!(f, "refused, and legal:")?;
        self.refused.iter().try_for_each(|line| writeln!(f, "  {line}"))?;
        writeln!(f, "by reason:")?;
        self.reasons.iter().try_for_each(|(reason, n)| writeln!(f, "  {n:>4} {reason}"))?;
        writeln!(
            f,
            "{:<24}{:>7}{:>10}{:>8}{:>9}{:>9}{:>7}",
            "primitive", "legal", "accepted", "share", "dynamic", "illegal", "wrong"
        )?;
        for (name, tally) in &self.tallies {
            let Tally { legal, accepted, dynamic, illegal, wrong, .. } = tally;
            let share = tally.share();
            writeln!(
                f,
                "{name:<24}{legal:>7}{accepted:>10}{share:>6} %{dynamic:>9}{illegal:>9}{wrong:>7}"
            )?;
        }
        let n = self.times.len();
        let (half, most, longest) = (self.time(50), self.time(99), self.time(100));
        let slowest = &self.slowest;
        write!(f, "{n} checks: p50 {half:?}, p99 {most:?}, max {longest:?}: {slowest}")
    }
}
