//! The verdicts of `schedule::legality` against enumeration, on random nests and random changes to them.
//!
//! A nest is plain data, a `Summary`: loops of static and dynamic extents, one or two schedule blocks,
//! some of them reductions, indices with quotients, remainders and products with sizes. It is changed like
//! primitives change nests: loops permuted, with another kind, split or fused, blocks permuted.
//! All executions are enumerated for all small sizes. A proved change must have no conflict there; a
//! refuted change must have a conflict at the witness.
//!
//! `LOOPWRIGHT_NESTS` is the number of nests, `LOOPWRIGHT_SEED` the first seed. Without them, the number of verdicts
//! of each kind is compared with the numbers in this file, which may only improve.

#[path = "exact/enumerate.rs"]
mod enumerate;
#[path = "exact/nest.rs"]
mod nest;

use enumerate::{clashes_at, concurrent_at};
use loopwright::nest::summary::Summary;
use loopwright::schedule::legality::exact::{check_concurrent, check_order};
use loopwright::schedule::verdict::{Verdict, Witness};
use nest::Nest;
use rand::SeedableRng;
use rand::rngs::StdRng;
use std::time::{Duration, Instant};

const NESTS: u64 = 300;
/// The largest enumerated size.
const MOST: i64 = 4;

#[derive(Default)]
struct Tally {
    proved: usize,
    refuted: usize,
    unknown: usize,
    /// The number of unknown verdicts without a conflict at any small size.
    missed: usize,
    times: Vec<Duration>,
}

impl Tally {
    /// Compares a verdict with all conflicts at some sizes.
    fn compare(
        &mut self,
        verdict: &Verdict,
        clashes: &dyn Fn(&[i64]) -> Vec<Witness>,
        what: &dyn Fn() -> String,
    ) {
        let all = || {
            let sizes = (0..=MOST).flat_map(|a| (0..=MOST).map(move |b| [a, b]));
            sizes.flat_map(|sizes| clashes(&sizes)).next()
        };
        match verdict {
            Verdict::Proved => {
                self.proved += 1;
                if let Some(clash) = all() {
                    panic!("proved, but {clash} with {:?}\n{}", clash.sizes, what());
                }
            }
            Verdict::Refuted(witness) => {
                self.refuted += 1;
                let value = |name: &str| {
                    witness.sizes.iter().find(|(n, _)| n == name).map_or(3, |(_, value)| *value)
                };
                let sizes = [value("s0"), value("s1")];
                if sizes.iter().all(|size| *size <= 8) {
                    let is_it = |clash: &Witness| {
                        (&clash.first, &clash.second, &clash.buffer, &clash.cell)
                            == (&witness.first, &witness.second, &witness.buffer, &witness.cell)
                    };
                    let found = clashes(&sizes).iter().any(is_it);
                    // Initial values over an empty reduction domain are not enumerated.
                    let is_empty = sizes.contains(&0) && what().contains("has_init: true");
                    assert!(found || is_empty, "no clash: {witness}\n{}", what());
                }
            }
            Verdict::Unknown(_) => {
                self.unknown += 1;
                self.missed += usize::from(all().is_none());
            }
        }
    }

    fn report(&mut self, name: &str) {
        self.times.sort_unstable();
        let at = |share: usize| self.times[(self.times.len() - 1) * share / 100];
        println!(
            "{name}: {} proved, {} refuted, {} unknown ({} of them without a small clash); p50 {:?}, \
             p99 {:?}, most {:?}",
            self.proved,
            self.refuted,
            self.unknown,
            self.missed,
            at(50),
            at(99),
            at(100)
        );
    }
}

#[test]
fn verdicts_are_right() {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let nests = number("LOOPWRIGHT_NESTS").unwrap_or(NESTS);
    let first = number("LOOPWRIGHT_SEED").unwrap_or(1);
    let (mut orders, mut concurrent) = (Tally::default(), Tally::default());
    for seed in first..first + nests {
        let nest = Nest::random(&mut StdRng::seed_from_u64(seed));
        let names: Vec<&str> = nest.before.blocks().map(|(_, b)| b.name.as_str()).collect();
        let what = || format!("seed {seed}\n{}\n{}", text(&nest.before), text(&nest.after));
        let start = Instant::now();
        let verdict = check_order(&nest.before, &nest.after, &names);
        orders.times.push(start.elapsed());
        orders.compare(&verdict, &|sizes| clashes_at(&nest, sizes), &what);
        for node in nest.before.nodes.keys() {
            if nest.before.as_loop(node).is_none() {
                continue;
            }
            let start = Instant::now();
            let verdict = check_concurrent(&nest.before, node);
            concurrent.times.push(start.elapsed());
            let clashes = |sizes: &[i64]| concurrent_at(&nest.before, node, sizes);
            concurrent.compare(&verdict, &clashes, &what);
        }
    }
    orders.report("check_order");
    concurrent.report("check_concurrent");
    let counts = |tally: &Tally| [tally.proved, tally.refuted, tally.unknown];
    if (nests, first) == (NESTS, 1) {
        let found = [counts(&orders), counts(&concurrent)];
        assert_eq!(found, [[189, 89, 22], [240, 391, 30]], "proved, refuted, unknown");
    }
}

fn text(summary: &Summary) -> String {
    let mut text = String::new();
    for (id, node) in summary.nodes.iter() {
        text += &format!("{id} in {:?} {:?}: {:?}\n", node.parent, node.children, node.kind);
    }
    text
}
