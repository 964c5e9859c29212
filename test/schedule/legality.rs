//! Legality test: steps are accepted exactly if they preserve the meaning. Brute force decides each step on each nest,
//! and the verdict of the step's check is compared with that.
//!
//! The corpus has two halves. `Inputs/*.mlir` are written by hand: functions, and steps on them that are declared
//! legal or illegal, with the reason. The other half is random: nests of [`family`], with numbers or
//! arguments as sizes, some of them already scheduled, and steps with random arguments. A step is legal if the
//! interpreter finds no difference for any sizes up to 6. Nests with numbers are rebuilt for some other sizes.
//! - A step that is accepted and changes the meaning always fails the test.
//! - A step that is refused but preserves the meaning is listed with its reason. Of the random steps, each
//!   primitive must accept the share in [`BAR`].
//! - A step with `proof "assume"` is right where the assumption holds (`legality/assumed.rs`).
//! - No check may take longer than [`LIMIT`] of its thread's time.
//!
//! `LOOPWRIGHT_LEGALITY` is the number of legal random steps of each primitive (30; with fewer there are no bars),
//! and `LOOPWRIGHT_SEED` the first seed (1). `LOOPWRIGHT_PRIMITIVE` draws for one primitive only, and
//! `LOOPWRIGHT_CASE=SEED` shows one case of it. `LOOPWRIGHT_ALL_SIZES=1` rebuilds nests with numbers for all sizes.
//! `LOOPWRIGHT_UPDATE=1` writes the figures to `docs/legality.md`.

#[path = "legality/assumed.rs"]
mod assumed;
#[path = "drawn.rs"]
mod drawn;
#[path = "legality/family.rs"]
mod family;
#[path = "legality/nest.rs"]
mod nest;
#[path = "legality/oracle.rs"]
mod oracle;
#[path = "legality/report.rs"]
mod report;
#[path = "legality/script.rs"]
mod script;
#[path = "legality/step.rs"]
mod step;
#[path = "legality/tilings.rs"]
mod tilings;

use loopwright::schedule::Schedule;
use loopwright::schedule::instruction::{Instruction, Primitive};
use loopwright::schedule::primitive::PRIMITIVES;
use loopwright_testing::top;
use oracle::{Judgement, LARGEST, Original, Refusal, Session};
use rand::rngs::StdRng;
use rand::seq::SliceRandom;
use rand::{Rng, SeedableRng};
use report::{Report, Tally};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Mutex;
use std::time::Duration;
use std::{env, fs, thread};

/// The time limit of a check. Without optimization it is three times as long: the work on a system of conditions is
/// limited by its amount, and takes up to 40 ms in an optimized build.
const LIMIT: Duration = Duration::from_millis(if cfg!(debug_assertions) { 150 } else { 50 });
/// The share of legal steps, in percent, that each primitive must accept, and the least number with dynamic sizes.
const BAR: (usize, usize) = (90, 20);
/// The number of legal steps to draw for a primitive, and the number with dynamic sizes.
const LEGAL: (usize, usize) = (30, 24);
/// The number of other sizes for which a nest with numbers is rebuilt.
const OTHER_SIZES: usize = 6;
/// A session never frees attributes and types, so it is used for this many nests only.
const SESSION: usize = 100;

/// A random or written case.
struct Case {
    primitive: &'static str,
    /// The origin: the family and seed, or the file.
    origin: String,
    step: String,
    is_dynamic: bool,
    /// The sizes and element at which the result differs.
    difference: Option<String>,
    refusal: Option<Refusal>,
    /// True if the step is accepted for sizes for which the result differs.
    is_wrong: bool,
    times: Vec<Duration>,
}

fn number(name: &str) -> Option<u64> {
    env::var(name).ok().and_then(|text| text.parse().ok())
}

#[test]
fn drawn_steps_are_accepted_where_they_are_legal() {
    let only = env::var("LOOPWRIGHT_PRIMITIVE").ok();
    let chosen = PRIMITIVES.iter().filter(|p| only.as_deref().is_none_or(|o| o == p.name));
    let work: Mutex<Vec<&'static Primitive>> = Mutex::new(chosen.copied().collect());
    let cases: Mutex<Vec<Case>> = Mutex::new(vec![]);
    let next = || work.lock().expect("no thread ends with it").pop();
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(2, usize::from) {
            scope.spawn(|| {
                while let Some(primitive) = next() {
                    let found = draw_all(primitive);
                    cases.lock().expect("no thread ends with it").extend(found);
                }
            });
        }
    });
    let cases = cases.into_inner().expect("no thread has ended with it");
    let report = Report::of(&cases);
    println!("{report}");
    assert_nothing_wrong(&cases);
    if only.is_none() && number("LOOPWRIGHT_CASE").is_none() {
        if env::var_os("LOOPWRIGHT_UPDATE").is_some() {
            report.write("drawn");
        }
        // A short run draws too few cases for the bars.
        if number("LOOPWRIGHT_LEGALITY").is_none_or(|most| most >= LEGAL.0 as u64) {
            assert_bars(&report);
        }
    }
}

/// The cases of a primitive.
fn draw_all(primitive: &'static Primitive) -> Vec<Case> {
    let most = number("LOOPWRIGHT_LEGALITY").map_or(LEGAL.0, |n| n as usize);
    let first = number("LOOPWRIGHT_SEED").unwrap_or(1);
    let shown = number("LOOPWRIGHT_CASE");
    let seeds = shown.map_or(first..first + 100 * most as u64, |seed| seed..seed + 1);
    let mut cases = vec![];
    let mut session = Session::new();
    let mut tally = Tally::default();
    for (n, seed) in seeds.enumerate() {
        if n % SESSION == SESSION - 1 {
            session = Session::new();
        }
        let outcome = catch_unwind(AssertUnwindSafe(|| draw(&session, primitive, seed)));
        let case = outcome.unwrap_or_else(|_| {
            panic!("LOOPWRIGHT_PRIMITIVE={} LOOPWRIGHT_CASE={seed}", primitive.name)
        });
        // Few nests have what some primitives need.
        let Some(case) = case else { continue };
        tally.add(&case);
        cases.push(case);
        // All primitives need cases with dynamic sizes.
        if tally.legal >= most && tally.legal_dynamic >= most.min(LEGAL.1) {
            break;
        }
    }
    cases
}

/// A case of a primitive, if the seed yields one.
fn draw(session: &Session, primitive: &'static Primitive, seed: u64) -> Option<Case> {
    let mut rng = StdRng::seed_from_u64(seed);
    // Sometimes a nest that has nothing for the primitive.
    let wanted = step::wanted(primitive.name).filter(|_| rng.random_bool(0.9));
    let family = family::draw(&mut rng, wanted);
    let nest = (family.make)(&mut rng);
    let is_dynamic = rng.random_bool(0.7);
    // The sizes for which steps are drawn.
    let chosen: Vec<i64> = (0..nest.sizes).map(|_| rng.random_range(2..=LARGEST)).collect();
    let text = nest.text(if is_dynamic { None } else { Some(&chosen) });
    let module = session.parse(&text).unwrap_or_else(|error| panic!("{}: {error}", family.name));
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
    let origin = format!("{}, seed {seed}", family.name);
    let case = |judgement: Judgement, is_wrong: bool, times: Vec<Duration>| Case {
        primitive: primitive.name,
        origin: origin.clone(),
        step: step.script(),
        is_dynamic,
        difference: judgement.difference,
        refusal: judgement.refusal,
        is_wrong,
        times,
    };
    let spoilt = |error: String| {
        let Some(last) = before.last() else { panic!("{}: {error}", family.name) };
        Case {
            primitive: last.primitive.name,
            origin: format!("before {}, {origin}", primitive.name),
            step: format!("{before:?}"),
            is_dynamic,
            difference: Some(error),
            refusal: None,
            is_wrong: true,
            times: vec![],
        }
    };
    let judge = |original: &Original| {
        let judgement = session.judge(original, &step);
        if env::var_os("LOOPWRIGHT_CASE").is_some() {
            println!("{}{before:?}\n{step:?}\n{judgement:?}", original.text);
        }
        judgement
    };
    let mut this = match judge(&Original::of(module)) {
        Ok(judgement) => judgement?,
        Err(error) => return Some(spoilt(error)),
    };
    let is_wrong = |of: &Judgement| of.refusal.is_none() && of.difference.is_some();
    let (mut wrong, mut times) = (is_wrong(&this), vec![this.time]);
    if !is_dynamic && this.difference.is_none() {
        let mut others = all(nest.sizes);
        others.shuffle(&mut rng);
        if env::var_os("LOOPWRIGHT_ALL_SIZES").is_none() {
            others.truncate(OTHER_SIZES);
        }
        for sizes in others {
            // The earlier steps need not be legal for other sizes.
            let Ok(original) = session.original(&nest.text(Some(&sizes)), &before) else {
                continue;
            };
            let other = match judge(&original) {
                Ok(Some(other)) => other,
                Ok(None) => continue,
                Err(error) => return Some(spoilt(error)),
            };
            times.push(other.time);
            wrong |= is_wrong(&other);
            this.difference =
                other.difference.map(|what| format!("with numbers {sizes:?}: {what}"));
            if this.difference.is_some() {
                break;
            }
        }
    }
    Some(case(this, wrong, times))
}

/// All choices of `n` sizes.
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
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("test/schedule/legality/Inputs");
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
                let judged = session.judge(&original, &step);
                let Some(judgement) = judged.unwrap_or_else(|e| panic!("{origin}: {e}")) else {
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
    let report = Report::of(&cases);
    println!("{report}");
    assert!(mistakes.is_empty(), "\n{}", mistakes.join("\n"));
    assert_nothing_wrong(&cases);
    assert!(cases.len() >= 75, "only {} cases", cases.len());
    if env::var_os("LOOPWRIGHT_UPDATE").is_some() {
        report.write("written");
    }
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

/// Each primitive that has figures in `docs/legality.md` meets the bars. A new one may need arguments in
/// `legality/step.rs` for that.
fn assert_bars(report: &Report) {
    let mut missed = vec![];
    let figures = report::figures();
    let has_figures = |name: &str| figures.contains(&format!("| `{name}` |"));
    for primitive in PRIMITIVES.iter().filter(|it| has_figures(it.name)) {
        let Some(tally) = report.tallies.get(primitive.name) else {
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
