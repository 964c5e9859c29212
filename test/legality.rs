//! Are steps accepted exactly where they keep the meaning? Each step on each nest is decided by brute force,
//! and the verdict of its check compared with that.
//!
//! The corpus has two halves. `Inputs/*.mlir` are written by hand: functions, and steps on them that are said
//! to be legal or not, with the reason. The other half is drawn: nests of [`family`], with numbers or
//! arguments as sizes, some of them scheduled already, and steps with random arguments. A step is legal if the
//! interpreter finds no difference for any sizes up to 6; nests with numbers are made anew for some others.
//! - A step that is accepted and changes the meaning fails the test, whatever else holds.
//! - A step that is refused and would keep the meaning is listed with its reason; of the drawn ones each
//!   primitive must accept the share in [`BAR`].
//! - No check may take longer than [`LIMIT`].
//!
//! `LOOPWRIGHT_LEGALITY` is the number of drawn steps a primitive (6; the bars of acceptance are of 80 or
//! more), `LOOPWRIGHT_SEED` the first seed (1); `LOOPWRIGHT_PRIMITIVE` draws for one primitive only, and `LOOPWRIGHT_CASE=SEED` shows one case of it.
//! `LOOPWRIGHT_ALL_SIZES=1` makes nests with numbers for all sizes.

#[path = "legality/family.rs"]
mod family;
#[path = "legality/nest.rs"]
mod nest;
#[path = "legality/oracle.rs"]
mod oracle;
#[path = "legality/script.rs"]
mod script;
#[path = "legality/step.rs"]
mod step;

use family::FAMILIES;
use loopwright::ir::top;
use loopwright::schedule::Schedule;
use loopwright::schedule::table::{Instruction, PRIMITIVES, Primitive};
use oracle::{Judgement, LARGEST, Refusal, Session};
use rand::rngs::StdRng;
use rand::seq::SliceRandom;
use rand::{Rng, SeedableRng};
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::time::Duration;
use std::{env, fs};

/// A check may take this long.
const LIMIT: Duration = Duration::from_millis(50);
/// Of the legal steps a primitive accepts this share, in percent, and at least so many with dynamic sizes.
const BAR: (usize, usize) = (90, 20);
/// Of the steps of a primitive at least so many are legal ones with dynamic sizes.
const DYNAMIC: u64 = 24;
/// A nest with numbers is made anew for so many other sizes.
const OTHER_SIZES: usize = 6;

/// A drawn or written case.
struct Case {
    primitive: &'static str,
    /// Where it is from: the family and seed, or the file.
    origin: String,
    step: String,
    is_dynamic: bool,
    /// Where the result differs.
    difference: Option<String>,
    refusal: Option<Refusal>,
    /// Accepted somewhere where the result differs.
    is_wrong: bool,
    times: Vec<Duration>,
}

fn number(name: &str) -> Option<u64> {
    env::var(name).ok().and_then(|text| text.parse().ok())
}

#[test]
fn drawn_steps_are_accepted_where_they_are_legal() {
    let most = number("LOOPWRIGHT_LEGALITY").unwrap_or(6);
    let first = number("LOOPWRIGHT_SEED").unwrap_or(1);
    let only = env::var("LOOPWRIGHT_PRIMITIVE").ok();
    let shown = number("LOOPWRIGHT_CASE");
    let mut cases = vec![];
    for primitive in PRIMITIVES.iter().filter(|p| only.as_deref().is_none_or(|o| o == p.name)) {
        let seeds = shown.map_or(first..first + most * 20, |seed| seed..seed + 1);
        // Few nests have what some primitives need, and cases with dynamic sizes are wanted of all.
        let (mut drawn, mut dynamic) = (0, 0);
        for seed in seeds {
            let outcome = catch_unwind(AssertUnwindSafe(|| draw(primitive, seed)));
            let case = outcome.unwrap_or_else(|_| {
                panic!("LOOPWRIGHT_PRIMITIVE={} LOOPWRIGHT_CASE={seed}", primitive.name)
            });
            let Some(case) = case else { continue };
            drawn += 1;
            dynamic += u64::from(case.is_dynamic && case.difference.is_none());
            cases.push(case);
            if drawn >= most && dynamic >= most.min(DYNAMIC) {
                break;
            }
        }
    }
    report(&cases);
    assert_nothing_wrong(&cases);
    if only.is_none() && shown.is_none() && most >= 80 {
        assert_bars(&cases);
    }
}

/// A case of a primitive, if the seed gives one.
fn draw(primitive: &'static Primitive, seed: u64) -> Option<Case> {
    let mut rng = StdRng::seed_from_u64(seed);
    let (family, make) = FAMILIES[rng.random_range(0..FAMILIES.len())];
    let nest = make(&mut rng);
    let is_dynamic = rng.random_bool(0.6);
    let session = Session::new();
    // Of the sizes that steps are drawn for.
    let chosen: Vec<i64> = (0..nest.sizes).map(|_| rng.random_range(2..=LARGEST)).collect();
    let text = nest.text(if is_dynamic { None } else { Some(&chosen) });
    let module = session.parse(&text).unwrap_or_else(|error| panic!("{family}: {error}"));
    let mut schedule =
        Schedule::new(oracle::main_of(top(&module))).expect("a function of the dialect");
    let mut before = vec![];
    let usual: &[&str] = match rng.random_bool(0.3) {
        true => &["split", "fuse", "reorder", "parallel"],
        false => &[],
    };
    let needed = step::needed(primitive.name).iter().map(|name| (*name, 1.0));
    for (name, probability) in usual.iter().map(|name| (*name, 0.4)).chain(needed) {
        let other = Primitive::of(name).expect("it is in the table");
        let step = step::draw(other, schedule.summary(), &mut rng);
        if let Some(step) = step.filter(|_| rng.random_bool(probability))
            && schedule.apply(&step).is_ok()
        {
            before.push(step);
        }
    }
    let step = step::draw(primitive, schedule.summary(), &mut rng)?;
    drop(schedule);
    let is_shown = env::var_os("LOOPWRIGHT_CASE").is_some();
    let origin = format!("{family}, seed {seed}");
    let judge = |sizes: Option<&[i64]>| -> Option<Judgement> {
        // The steps before need not be legal for other sizes.
        let original = session.original(&nest.text(sizes), &before).ok()?;
        let judgement = session.judge(&original, &step);
        if is_shown {
            println!("{}{before:?}\n{step:?}\n{judgement:?}", original.text);
        }
        judgement
    };
    let sizes = if is_dynamic { None } else { Some(&chosen[..]) };
    if let Err(error) = session.original(&nest.text(sizes), &before) {
        let Some(last) = before.last() else { panic!("{family}: {error}") };
        return Some(Case {
            primitive: last.primitive.name,
            origin: format!("before {}, {origin}", primitive.name),
            step: format!("{before:?}"),
            is_dynamic,
            difference: Some(error),
            refusal: None,
            is_wrong: true,
            times: vec![],
        });
    }
    let mut this = judge(sizes)?;
    let mut is_wrong = this.refusal.is_none() && this.difference.is_some();
    let mut times = vec![this.time];
    if !is_dynamic && this.difference.is_none() {
        let mut others = all(nest.sizes);
        others.shuffle(&mut rng);
        if env::var_os("LOOPWRIGHT_ALL_SIZES").is_none() {
            others.truncate(OTHER_SIZES);
        }
        for sizes in others {
            let Some(other) = judge(Some(&sizes)) else { continue };
            times.push(other.time);
            is_wrong |= other.refusal.is_none() && other.difference.is_some();
            let at = other.difference.map(|what| format!("with numbers {sizes:?}: {what}"));
            this.difference = this.difference.or(at);
            if this.difference.is_some() {
                break;
            }
        }
    }
    Some(Case {
        primitive: primitive.name,
        origin,
        step: step.script(),
        is_dynamic,
        difference: this.difference,
        refusal: this.refusal,
        is_wrong,
        times,
    })
}

/// All choices of so many sizes.
fn all(n: usize) -> Vec<Vec<i64>> {
    let mut all = vec![vec![]];
    for _ in 0..n {
        let longer = |rest: &Vec<i64>| -> Vec<Vec<i64>> {
            (0..=LARGEST).map(|size| [&rest[..], &[size]].concat()).collect()
        };
        all = all.iter().flat_map(longer).collect();
    }
    all
}

/// The steps in `Inputs/*.mlir`: lines `// legal: STEP -- REASON` and `// illegal: ..` before a function.
#[test]
fn written_steps_are_judged_as_they_say() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("test/legality/Inputs");
    let mut files: Vec<_> = fs::read_dir(folder)
        .expect("a folder")
        .map(|entry| entry.expect("a file").path())
        .collect();
    files.sort();
    let mut cases = vec![];
    let mut mistakes = vec![];
    for file in files {
        let origin = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        for part in fs::read_to_string(&file).expect("a text").split("// -----\n") {
            let session = Session::new();
            let original = session.original(part, &[]).unwrap_or_else(|e| panic!("{origin}: {e}"));
            for (is_legal, text) in part.lines().filter_map(written) {
                let step: Instruction =
                    script::parse(text).unwrap_or_else(|error| panic!("{origin}: {error}"));
                let Some(judgement) = session.judge(&original, &step) else {
                    mistakes.push(format!("{origin}: {text} cannot be applied"));
                    continue;
                };
                if judgement.difference.is_none() != is_legal {
                    let found = judgement.difference.clone().unwrap_or("no difference".into());
                    mistakes.push(format!("{origin}: {text}: the interpreter says: {found}"));
                }
                cases.push(Case {
                    primitive: step.primitive.name,
                    origin: origin.clone(),
                    step: step.script(),
                    is_dynamic: part.contains("%n: index"),
                    is_wrong: judgement.refusal.is_none() && judgement.difference.is_some(),
                    difference: judgement.difference,
                    refusal: judgement.refusal,
                    times: vec![judgement.time],
                });
            }
        }
    }
    report(&cases);
    assert!(mistakes.is_empty(), "\n{}", mistakes.join("\n"));
    assert_nothing_wrong(&cases);
    assert!(cases.len() >= 75, "only {} cases", cases.len());
}

/// `// legal: STEP -- REASON`.
fn written(line: &str) -> Option<(bool, &str)> {
    let line = line.trim().strip_prefix("// ")?;
    let (is_legal, rest) = match (line.strip_prefix("legal: "), line.strip_prefix("illegal: ")) {
        (Some(rest), _) => (true, rest),
        (_, Some(rest)) => (false, rest),
        _ => return None,
    };
    Some((is_legal, rest.split(" -- ").next().unwrap_or(rest).trim()))
}

/// What became of the cases of one primitive.
#[derive(Default)]
struct Tally {
    legal: usize,
    accepted: usize,
    dynamic: usize,
    illegal: usize,
    wrong: usize,
    times: Vec<Duration>,
}

impl Tally {
    /// Of the legal ones, in percent, rounded down.
    fn share(&self) -> usize {
        100 * self.accepted / self.legal.max(1)
    }
}

fn tallies(cases: &[Case]) -> BTreeMap<&'static str, Tally> {
    let mut tallies: BTreeMap<&'static str, Tally> = BTreeMap::new();
    for case in cases {
        let tally = tallies.entry(case.primitive).or_default();
        let is_accepted = case.refusal.is_none();
        match &case.difference {
            Some(_) => tally.illegal += 1,
            None => {
                tally.legal += 1;
                tally.accepted += usize::from(is_accepted);
                tally.dynamic += usize::from(is_accepted && case.is_dynamic);
            }
        }
        tally.wrong += usize::from(case.is_wrong);
        tally.times.extend(&case.times);
    }
    tallies
}

/// Prints the figures, and each legal step that was refused.
fn report(cases: &[Case]) {
    println!("refused, and legal:");
    let mut reasons: BTreeMap<String, usize> = BTreeMap::new();
    for case in cases.iter().filter(|case| case.difference.is_none()) {
        let Some(refusal) = &case.refusal else { continue };
        println!("  {} ({}): {}", case.step, case.origin, refusal.message);
        let reason = format!("{} (C{}) {}", case.primitive, refusal.condition, refusal.kind);
        *reasons.entry(reason).or_default() += 1;
    }
    println!("by reason:");
    reasons.iter().for_each(|(reason, n)| println!("  {n:>4} {reason}"));
    println!(
        "{:<24}{:>7}{:>10}{:>8}{:>9}{:>9}{:>7}",
        "primitive", "legal", "accepted", "share", "dynamic", "illegal", "wrong"
    );
    let mut times = vec![];
    for (name, tally) in tallies(cases) {
        let Tally { legal, accepted, dynamic, illegal, wrong, .. } = tally;
        println!(
            "{name:<24}{legal:>7}{accepted:>10}{:>6} %{dynamic:>9}{illegal:>9}{wrong:>7}",
            tally.share()
        );
        times.extend(tally.times);
    }
    times.sort_unstable();
    let at = |percent: usize| {
        let place = (times.len() * percent / 100).min(times.len().saturating_sub(1));
        times.get(place).copied().unwrap_or_default()
    };
    println!("{} steps: p50 {:?}, p99 {:?}, max {:?}", times.len(), at(50), at(99), at(100));
}

fn assert_nothing_wrong(cases: &[Case]) {
    let wrong: Vec<String> = cases
        .iter()
        .filter(|case| case.is_wrong)
        .map(|case| {
            let difference = case.difference.as_deref().unwrap_or_default();
            format!("{} ({}) is accepted: {difference}", case.step, case.origin)
        })
        .collect();
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
    let slowest = cases.iter().flat_map(|case| &case.times).max();
    assert!(slowest.is_none_or(|time| *time <= LIMIT), "a step took {slowest:?}");
}

fn assert_bars(cases: &[Case]) {
    let tallies = tallies(cases);
    let mut missed = vec![];
    for primitive in PRIMITIVES {
        let Some(tally) = tallies.get(primitive.name) else {
            missed.push(format!("{} is never drawn", primitive.name));
            continue;
        };
        let (share, dynamic) = BAR;
        if tally.share() < share || tally.dynamic < dynamic {
            missed.push(format!(
                "{}: accepts {} % of the legal steps and {} with dynamic sizes, expected {share} % and {dynamic}",
                primitive.name,
                tally.share(),
                tally.dynamic
            ));
        }
    }
    assert!(missed.is_empty(), "\n{}", missed.join("\n"));
}
