//! Random steps: mostly ones that may be legal, on names that are there.

use loopwright::dialect::loop_enums::ThreadAxis;
use loopwright::schedule::summary::Summary;
use loopwright::schedule::table::{Argument, Instruction, PRIMITIVES};
use rand::Rng;
use rand::rngs::StdRng;
use rand::seq::{IndexedRandom, SliceRandom};

/// What became of the steps of one primitive.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tally {
    pub drawn: u64,
    pub accepted: u64,
    /// Accepted, and the text of the IR is another.
    pub changed: u64,
}

/// A loop as a step names it.
struct Named {
    name: String,
    extent: Option<i64>,
}

/// A random step on a function.
pub fn random(summary: &Summary, rng: &mut StdRng) -> Instruction {
    let blocks: Vec<usize> = summary.blocks().map(|(node, _)| node).collect();
    let block = *blocks.choose(rng).expect("a function has a block");
    let block_name = summary.as_block(block).expect("a block").name.clone();
    let mut loops: Vec<Named> = summary
        .loops_around(block)
        .filter_map(|node| summary.as_loop(node))
        .map(|this| Named {
            name: format!("{block_name}:{}", this.name),
            extent: this.constant_extent(),
        })
        .collect();
    loops.reverse();
    if loops.is_empty() {
        return instruction("compute_inline", vec![Argument::Text(block_name)]);
    }
    let any = rng.random_range(0..loops.len());
    let one = |i: usize| Argument::Text(loops[i].name.clone());
    match rng.random_range(0..21) {
        0..=3 => {
            let factors = factors(loops[any].extent, rng);
            instruction("split", vec![one(any), Argument::Integers(factors)])
        }
        4..=5 => {
            let first = rng.random_range(0..loops.len().max(2) - 1);
            let last = (first + rng.random_range(2..4)).min(loops.len());
            let names = loops[first..last].iter().map(|l| l.name.clone()).collect();
            instruction("fuse", vec![Argument::Texts(names)])
        }
        6..=8 => {
            let mut names: Vec<String> = loops.iter().map(|l| l.name.clone()).collect();
            names.shuffle(rng);
            names.truncate(rng.random_range(2..5));
            instruction("reorder", vec![Argument::Texts(names)])
        }
        9 => {
            // Small loops, so that code stays small.
            let small: Vec<usize> =
                (0..loops.len()).filter(|i| loops[*i].extent.is_some_and(|e| e <= 8)).collect();
            instruction("unroll", vec![one(small.choose(rng).copied().unwrap_or(any))])
        }
        10..=11 => {
            let inner = rng.random_range(loops.len() / 2..loops.len());
            let factor = [None, Some(2), Some(4), Some(5), Some(8), Some(16)];
            let factor = *factor.choose(rng).expect("not empty");
            let factor = Argument::OptionalInteger(factor);
            instruction("vectorize", vec![one(inner), factor])
        }
        12 => {
            let outer = one(rng.random_range(0..loops.len().div_ceil(2)));
            instruction("parallel", vec![outer])
        }
        13 => {
            let axis = ThreadAxis::ALL.choose(rng).expect("not empty");
            let axis = Argument::Text(axis.word().into());
            instruction("bind", vec![one(any), axis])
        }
        14 => instruction("compute_inline", vec![Argument::Text(block_name)]),
        kind => {
            let (producer, reader) = dependence(summary, rng).unwrap_or((block, block));
            let name = |node: usize| summary.as_block(node).expect("a block").name.clone();
            let (primitive, moved, other) = match kind {
                15..=16 => ("compute_at", producer, reader),
                17..=18 => ("reverse_compute_at", reader, producer),
                19 => ("simple_compute_at", *blocks.choose(rng).expect("not empty"), block),
                _ => {
                    let reader = Argument::Text(name(reader));
                    return instruction("reverse_compute_inline", vec![reader]);
                }
            };
            let around: Vec<usize> = summary.loops_around(other).collect();
            let Some(target) = around.choose(rng) else {
                return instruction("compute_inline", vec![Argument::Text(block_name)]);
            };
            let target = &summary.as_loop(*target).expect("a loop").name;
            let target = Argument::Text(format!("{}:{target}", name(other)));
            instruction(primitive, vec![Argument::Text(name(moved)), target])
        }
    }
}

/// Two blocks one of which reads what the other writes.
fn dependence(summary: &Summary, rng: &mut StdRng) -> Option<(usize, usize)> {
    let mut pairs = vec![];
    for (writer, block) in summary.blocks() {
        for (reader, other) in summary.blocks().filter(|(node, _)| *node != writer) {
            let writes = |buffer| block.stores().any(|store| store.buffer == buffer);
            if other.loads().any(|load| writes(load.buffer)) {
                pairs.push((writer, reader));
            }
        }
    }
    pairs.choose(rng).copied()
}

fn factors(extent: Option<i64>, rng: &mut StdRng) -> Vec<i64> {
    let factor = |rng: &mut StdRng| *[2, 3, 4, 5, 8, 16].choose(rng).expect("not empty");
    match (rng.random_range(0..6), extent) {
        (0..=2, _) => vec![-1, factor(rng)],
        (3, _) => vec![factor(rng), -1],
        (4, _) => vec![-1, factor(rng), 2],
        (_, Some(extent)) => {
            let inner = factor(rng);
            vec![(extent + inner - 1) / inner, inner]
        }
        (_, None) => vec![factor(rng), factor(rng)],
    }
}

fn instruction(name: &str, arguments: Vec<Argument>) -> Instruction {
    let primitive = PRIMITIVES.iter().find(|primitive| primitive.name == name);
    Instruction::new(primitive.expect("it is in the table"), arguments)
}
