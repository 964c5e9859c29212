//! Random tilings, as a tuner draws them: each loop of a matmul, a convolution, a softmax and a chain of stencils is split
//! into up to four loops, perfectly or with a tail, and often by factors of 1. The loops are reordered, and then other
//! primitives are applied to them. Every step is judged as in the other tests: a step that preserves the results must be
//! accepted in [`BAR`] of 1,000 cases, and no other.
//!
//! `LOOPWRIGHT_TILINGS` is the number of tilings (200), `LOOPWRIGHT_SEED` the first seed (1). A single case is printed.

use crate::nest::{Block, Buffer, Nest, Reduction, Tree};
use crate::oracle::{Original, Session, main_of};
use crate::{number, step};
use loopwright::nest::summary::Summary;
use loopwright::schedule::Schedule;
use loopwright::schedule::instruction::{Argument, Instruction, Primitive};
use loopwright_testing::top;
use rand::rngs::StdRng;
use rand::seq::{IndexedRandom, SliceRandom};
use rand::{Rng, SeedableRng};
use std::collections::BTreeMap;

/// Of 1,000 legal steps, so many must be accepted.
const BAR: usize = 990;
/// The primitives that are applied to tiles.
const PRIMITIVES: &[&str] = &[
    "fuse",
    "parallel",
    "vectorize",
    "unroll",
    "bind",
    "rfactor",
    "decompose_reduction",
    "compute_at",
    "reverse_compute_at",
    "compute_inline",
    "reverse_compute_inline",
    "cache_read",
    "cache_write",
    "blockize",
    "reorder",
    "set_scope",
];
/// Steps that are applied to tiles in a case.
const STEPS: usize = 6;

fn text(items: &[&str]) -> Vec<String> {
    items.iter().map(|item| (*item).to_owned()).collect()
}

/// A block in loops over its whole domains: `store = loads`, or the sum, maximum or product of the loads.
fn over(
    loops: &[(&'static str, &'static str, &str)],
    name: &'static str,
    loads: &[(&'static str, &[&str])],
    store: (&'static str, &[&str]),
    combiner: Option<&'static str>,
) -> Tree {
    let names: Vec<_> = loops.iter().map(|(name, ..)| *name).collect();
    let block = Block {
        name,
        iters: loops.iter().map(|(_, role, extent)| (*role, (*extent).to_owned())).collect(),
        binding: text(&names),
        loads: loads.iter().map(|(buffer, at)| (*buffer, text(at))).collect(),
        store: (store.0, text(store.1)),
        reduction: combiner.map(|combiner| Reduction { combiner, has_init: true }),
        is_product: loads.len() == 2 && combiner.is_some(),
        ..Block::default()
    };
    let inner = Tree::Block(block);
    loops.iter().rev().fold(inner, |body, (name, _, extent)| Tree::Loop {
        name,
        extent: (*extent).to_owned(),
        body: vec![body],
    })
}

fn argument(name: &'static str, rank: usize) -> Buffer {
    Buffer { name, element: "i32", rank, dims: None }
}

fn intermediate(name: &'static str, dims: &[&str]) -> Buffer {
    Buffer { dims: Some(text(dims)), ..argument(name, dims.len()) }
}

fn matmul() -> Nest {
    let loops = [("i", "spatial", "N0"), ("j", "spatial", "N1"), ("k", "reduce", "N2")];
    let loads: [(_, &[_]); 2] = [("A", &["v0", "v2"]), ("B", &["v2", "v1"])];
    let tree = over(&loops, "C", &loads, ("C", &["v0", "v1"]), Some("add"));
    Nest {
        sizes: 3,
        buffers: ["A", "B", "C"].map(|name| argument(name, 2)).into(),
        trees: vec![tree],
    }
}

/// `Y[h, o] += X[h + r, c] * W[r, c, o]`
fn convolution() -> Nest {
    let loops = [
        ("h", "spatial", "N0"),
        ("o", "spatial", "N1"),
        ("r", "reduce", "N2"),
        ("c", "reduce", "N3"),
    ];
    let loads: [(_, &[_]); 2] = [("X", &["v0 + v2", "v3"]), ("W", &["v2", "v3", "v1"])];
    let tree = over(&loops, "Y", &loads, ("Y", &["v0", "v1"]), Some("add"));
    let buffers = vec![argument("X", 2), argument("W", 3), argument("Y", 2)];
    Nest { sizes: 4, buffers, trees: vec![tree] }
}

/// Four blocks that depend on each other as those of a softmax; what they compute is of integers.
fn softmax() -> Nest {
    let rows = [("i", "spatial", "N0"), ("k", "reduce", "N1")];
    let all = [("i", "spatial", "N0"), ("j", "spatial", "N1")];
    let trees = vec![
        over(&rows, "M", &[("X", &["v0", "v1"])], ("M", &["v0"]), Some("max")),
        over(&all, "E", &[("X", &["v0", "v1"]), ("M", &["v0"])], ("E", &["v0", "v1"]), None),
        over(&rows, "S", &[("E", &["v0", "v1"])], ("S", &["v0"]), Some("add")),
        over(&all, "Y", &[("E", &["v0", "v1"]), ("S", &["v0"])], ("Y", &["v0", "v1"]), None),
    ];
    let buffers = vec![
        argument("X", 2),
        intermediate("M", &["N0"]),
        intermediate("E", &["N0", "N1"]),
        intermediate("S", &["N0"]),
        argument("Y", 2),
    ];
    Nest { sizes: 2, buffers, trees }
}

/// Two stencils, of three and of two rows.
fn stencils() -> Nest {
    let wide = [("i", "spatial", "N0 + 1"), ("j", "spatial", "N1")];
    let narrow = [("i", "spatial", "N0"), ("j", "spatial", "N1")];
    let three: [(_, &[_]); 3] =
        [("A", &["v0", "v1"]), ("A", &["v0 + 1", "v1"]), ("A", &["v0 + 2", "v1"])];
    let two: [(_, &[_]); 2] = [("B", &["v0", "v1"]), ("B", &["v0 + 1", "v1"])];
    let trees = vec![
        over(&wide, "B", &three, ("B", &["v0", "v1"]), None),
        over(&narrow, "C", &two, ("C", &["v0", "v1"]), None),
    ];
    let buffers = vec![argument("A", 2), intermediate("B", &["N0 + 1", "N1"]), argument("C", 2)];
    Nest { sizes: 2, buffers, trees }
}

/// A size; small ones for nests of many loops.
fn size(loops: usize, rng: &mut StdRng) -> i64 {
    let most = if loops > 3 { 5 } else { 8 };
    [1, 2, 3, 4, 6, 7, 8, 12][..most].choose(rng).copied().unwrap_or(1)
}

/// Two to four factors of an extent: often 1, and mostly with the extent as their product.
fn factors(extent: i64, rng: &mut StdRng) -> Vec<i64> {
    let n = rng.random_range(2..=4);
    let mut factors = vec![1; n];
    if rng.random_bool(0.25) {
        factors.iter_mut().for_each(|it| *it = rng.random_range(1..=4));
        factors[0] = -1;
        return factors;
    }
    let mut left = extent;
    while left > 1 {
        let prime = (2..=left).find(|p| left % p == 0).unwrap_or(left);
        factors[rng.random_range(0..n)] *= prime;
        left /= prime;
    }
    factors
}

/// The loops around a block, outermost first, as `block:loop`.
fn loops(summary: &Summary, block: &str) -> Vec<(String, Option<i64>)> {
    let found = summary.blocks().find(|(_, it)| it.name == block);
    let Some((node, _)) = found else { return vec![] };
    let mut loops: Vec<_> = summary
        .loops_around(node)
        .filter_map(|node| summary.as_loop(node))
        .map(|it| (format!("{block}:{}", it.name), it.constant_extent()))
        .collect();
    loops.reverse();
    loops
}

/// Draws a step for a nest.
type Draw = Box<dyn Fn(&Summary, &mut StdRng) -> Option<Instruction>>;

/// What became of a step.
#[derive(Default)]
struct Count {
    legal: usize,
    /// The seed, step and reason of each legal step that was refused.
    refused: Vec<String>,
}

#[test]
fn tilings_are_accepted() {
    let first = number("LOOPWRIGHT_SEED").unwrap_or(1);
    let cases = number("LOOPWRIGHT_TILINGS").unwrap_or(200);
    let mut counts: BTreeMap<&str, Count> = BTreeMap::new();
    let mut wrong = vec![];
    let mut session = Session::new();
    for seed in first..first + cases {
        if seed % 50 == 0 {
            session = Session::new();
        }
        case(&session, seed, cases == 1, &mut counts, &mut wrong);
    }
    let (mut legal, mut refused) = (0, 0);
    for (name, count) in &counts {
        println!("{name}: {} of {} legal steps are refused", count.refused.len(), count.legal);
        for text in count.refused.iter().take(5) {
            println!("  {text}");
        }
        legal += count.legal;
        refused += count.refused.len();
    }
    println!("{} of {legal} legal steps are accepted", legal - refused);
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
    assert!((legal - refused) * 1000 >= legal * BAR, "{refused} of {legal} are refused");
}

fn case(
    session: &Session,
    seed: u64,
    is_shown: bool,
    counts: &mut BTreeMap<&'static str, Count>,
    wrong: &mut Vec<String>,
) {
    let mut rng = StdRng::seed_from_u64(seed);
    let make = [matmul, convolution, softmax, stencils][rng.random_range(0..4)];
    let nest = make();
    let sizes: Vec<i64> = (0..nest.sizes).map(|_| size(nest.sizes, &mut rng)).collect();
    let text = nest.text(Some(&sizes));
    let mut module = session.parse(&text).unwrap_or_else(|error| panic!("{error}"));
    let blocks: Vec<String> = {
        let schedule = Schedule::new(main_of(top(&module))).expect("a nest");
        schedule.summary().blocks().map(|(_, block)| block.name.clone()).collect()
    };
    let mut plan: Vec<Draw> = vec![];
    for block in blocks {
        let depth = {
            let schedule = Schedule::new(main_of(top(&module))).expect("a nest");
            loops(schedule.summary(), &block)
        };
        for (name, extent) in depth {
            plan.push(Box::new(move |_, rng| {
                let factors = factors(extent?, rng);
                let arguments = vec![
                    Argument::Text(name.clone()),
                    Argument::Integers(factors),
                    Argument::OptionalText(None),
                ];
                Some(instruction("split", arguments))
            }));
        }
        plan.push(Box::new(move |summary, rng| {
            let mut names: Vec<String> =
                loops(summary, &block).into_iter().map(|it| it.0).collect();
            names.shuffle(rng);
            // The loops of a split keep their order, as in tilings.
            let mut sorted = names.clone();
            let axis = |name: &String| name.split('.').next().unwrap_or_default().to_owned();
            for i in 0..names.len() {
                let mut own: Vec<String> =
                    names.iter().filter(|n| axis(n) == axis(&names[i])).cloned().collect();
                own.sort();
                let place = names[..i].iter().filter(|n| axis(n) == axis(&names[i])).count();
                sorted[i] = own[place].clone();
            }
            Some(instruction("reorder", vec![Argument::Texts(sorted)]))
        }));
    }
    for _ in 0..STEPS {
        plan.push(Box::new(|summary, rng| {
            let name = PRIMITIVES.choose(rng)?;
            step::draw(Primitive::of(name).expect("it is in the table"), summary, rng)
        }));
    }
    for draw in plan {
        let step = {
            let schedule = Schedule::new(main_of(top(&module))).expect("a nest");
            draw(schedule.summary(), &mut rng)
        };
        let Some(step) = step else { continue };
        let original = Original::of(module);
        let judged = session.judge(&original, &step);
        if is_shown {
            println!("{}{step:?}\n{judged:?}", original.text);
        }
        module = session.parse(&original.text).expect("it was printed");
        let judgement = match judged {
            Ok(Some(judgement)) => judgement,
            Ok(None) => continue,
            Err(error) => panic!("seed {seed}: {error}"),
        };
        let text = || format!("LOOPWRIGHT_SEED={seed}: {}", step.script());
        match (&judgement.refusal, &judgement.difference) {
            (None, Some(difference)) => wrong.push(format!("{} is accepted: {difference}", text())),
            (Some(refusal), None) => {
                let count = counts.entry(step.primitive.name).or_default();
                count.legal += 1;
                count.refused.push(format!("{}: {}", text(), refusal.message));
            }
            (None, None) => {
                counts.entry(step.primitive.name).or_default().legal += 1;
                let mut schedule = Schedule::new(main_of(top(&module))).expect("a nest");
                schedule.apply(&step).expect("it is accepted");
            }
            (Some(_), Some(_)) => {}
        }
    }
}

fn instruction(name: &str, arguments: Vec<Argument>) -> Instruction {
    Instruction::new(Primitive::of(name).expect("it is in the table"), arguments)
}
