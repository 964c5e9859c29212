//! Random arguments for any primitive, drawn by the kinds of its parameters.

#[path = "../random_schedules/layout.rs"]
mod layout;

use crate::family::Has;
use layout::{change_of_iters, in_place, is_plain, layout};
use loopwright::dialect::loop_enums::ThreadAxis;
use loopwright::nest::summary::{BufferId, NodeId, NodeKind, Summary, mentions};
use loopwright::schedule::instruction::{
    Argument, Instruction, Parameter, ParameterKind, Primitive,
};
use loopwright::schedule::primitive::annotation::query::What;
use loopwright::schedule::rewrite::pipelining::statements;
use rand::Rng;
use rand::rngs::StdRng;
use rand::seq::{IndexedRandom, SliceRandom};

/// The keywords that a parameter takes. A parameter that is not listed gets none, which is valid only
/// if it is optional.
fn words(name: &str) -> Vec<&'static str> {
    match name {
        "thread" => ThreadAxis::ALL.iter().map(|axis| axis.word()).collect(),
        "scope" => vec!["global", "shared", "local"],
        "tail" => vec!["guard", "peel", "shift_inwards", "pad"],
        "index_map" => vec![
            "(i) -> (i floordiv 2, i mod 2)",
            "(i, j) -> (j, i floordiv 3, i mod 3)",
            "(i, j)[n, m] -> (i * m + j)",
            "(i, j) -> (i, j floordiv 2)",
        ],
        "intrinsic" => vec!["dot_4xi8"],
        "place" => vec!["before", "after"],
        "key" => vec!["pragma", "note"],
        "as" => vec!["tile", "at"],
        "what" => What::ALL.iter().map(|what| what.word()).collect(),
        _ => vec![],
    }
}

/// The property that a primitive needs of a nest.
pub fn wanted(name: &str) -> Option<Has> {
    match name {
        "compute_inline" | "reverse_compute_inline" | "compute_at" | "reverse_compute_at" => {
            Some(Has::Producer)
        }
        "fold_storage" => Some(Has::Producer),
        "rolling_buffer" => Some(Has::Window),
        "simple_compute_at" | "merge" => Some(Has::Nests),
        "fission" | "software_pipeline" | "reorder_statements" => Some(Has::Statements),
        "double_buffer" => Some(Has::Stages),
        "decompose_padding" => Some(Has::Padding),
        "tensorize" => Some(Has::Dot),
        "pad_einsum" => Some(Has::Einsum),
        "rfactor" | "decompose_reduction" | "cache_inplace" | "atomic" => Some(Has::Reduction),
        _ => None,
    }
}

/// Primitives that must be applied before another one has anything to do.
pub fn needed(name: &str) -> &'static [&'static str] {
    match name {
        "unannotate" => &["annotate"],
        "remove_loop" => &["add_unit_loop"],
        "join" => &["loop_partition"],
        "sync_threads" => &["bind"],
        "fold_storage" | "rolling_buffer" => &["compute_at"],
        "set_scope" | "transform_layout" | "storage_align" => &["cache_read"],
        "cache_inplace" | "atomic" => &["decompose_reduction"],
        _ => &[],
    }
}

/// A random step of a primitive, if it has a possible target.
pub fn draw(
    primitive: &'static Primitive,
    summary: &Summary,
    rng: &mut StdRng,
) -> Option<Instruction> {
    let blocks: Vec<NodeId> = summary.blocks().map(|(node, _)| node).collect();
    let block = *blocks.choose(rng)?;
    let mut arguments = vec![];
    if primitive.name == "merge" {
        // Loops of several nests, mostly of equal depth.
        let behind = *blocks.iter().find(|other| **other > block)?;
        let pairs: Vec<_> =
            loops_of(summary, block).into_iter().zip(loops_of(summary, behind)).collect();
        let (first, second) = pairs.choose(rng)?.clone();
        return Some(Instruction::new(primitive, vec![Argument::Texts(vec![first, second])]));
    }
    if primitive.name == "software_pipeline" {
        // As many numbers as there are statements.
        let around: Vec<NodeId> = summary.loops_around(block).collect();
        let several = around.iter().find(|node| statements(summary, **node).len() > 1);
        let node = several.or(around.last()).copied()?;
        let n = statements(summary, node).len();
        let mut stages: Vec<i64> = (0..n).map(|_| rng.random_range(0..3)).collect();
        stages.sort();
        let least = stages[0];
        stages.iter_mut().for_each(|stage| *stage -= least);
        if rng.random_bool(0.1) {
            stages.reverse();
        }
        let mut order: Vec<i64> = (0..n as i64).collect();
        if rng.random_bool(0.5) {
            order.shuffle(rng);
        }
        let name = &summary.as_loop(node)?.name;
        let target = format!("{}:{name}", summary.as_block(block)?.name);
        arguments.push(Argument::Text(target));
        arguments.extend([stages, order].map(Argument::Integers));
        return Some(Instruction::new(primitive, arguments));
    }
    if primitive.name == "storage_align" {
        let own: Vec<_> = summary.buffers.values().filter(|b| b.scope.is_some()).collect();
        let mut arguments = vec![Argument::Text(own.choose(rng)?.name.clone())];
        for choices in
            [[None, Some(0), Some(1)], [None, Some(2), Some(3)], [None, Some(1), Some(0)]]
        {
            arguments.push(Argument::OptionalInteger(*choices.choose(rng)?));
        }
        return Some(Instruction::new(primitive, arguments));
    }
    if primitive.name == "rolling_buffer" {
        let is_own = |node: &NodeId| {
            let written = summary.as_block(*node).map(|block| block.written()).unwrap_or_default();
            written.iter().any(|buffer| summary.buffers[*buffer].scope.is_some())
        };
        let block = blocks.iter().copied().find(is_own).unwrap_or(block);
        let around = loops_of(summary, block).choose(rng)?.clone();
        let block = summary.as_block(block)?.name.clone();
        let arguments = vec![Argument::Text(block), Argument::Text(around)];
        return Some(Instruction::new(primitive, arguments));
    }
    if primitive.name == "cache_inplace" {
        let both = in_place(summary);
        let (block, buffer) = both.choose(rng)?;
        let scope = *words("scope").choose(rng)?;
        let names = [*block, &summary.buffers[*buffer].name, scope];
        let arguments = names.iter().map(|name| Argument::Text((*name).to_owned())).collect();
        return Some(Instruction::new(primitive, arguments));
    }
    if primitive.name == "fold_storage" {
        let own: Vec<_> = summary.buffers.values().filter(|b| b.scope.is_some()).collect();
        let mut arguments = vec![Argument::Text(own.choose(rng)?.name.clone())];
        for choices in [[None, Some(0), Some(1)], [Some(1), Some(2), Some(3)]] {
            arguments.push(Argument::OptionalInteger(*choices.choose(rng)?));
        }
        return Some(Instruction::new(primitive, arguments));
    }
    if primitive.name == "transform_layout" {
        let own: Vec<_> = summary.buffers.values().filter(|b| b.scope.is_some()).collect();
        let buffer = own.choose(rng)?;
        let map = layout(buffer.shape.len(), rng)?;
        let arguments = vec![Argument::Text(buffer.name.clone()), Argument::Text(map)];
        return Some(Instruction::new(primitive, arguments));
    }
    if primitive.name == "transform_block_layout" {
        let this = summary.as_block(block).filter(|_| is_plain(summary, block))?;
        let map = change_of_iters(this.iters.len(), rng)?;
        let arguments = vec![Argument::Text(this.name.clone()), Argument::Text(map)];
        return Some(Instruction::new(primitive, arguments));
    }
    if primitive.name == "reorder_block_iter_var" {
        let iters = summary.as_block(block)?.iters.len() as i64;
        let mut order: Vec<i64> = (0..iters).collect();
        order.shuffle(rng);
        let block = summary.as_block(block)?.name.clone();
        let arguments = vec![Argument::Text(block), Argument::Integers(order.clone())];
        return (!order.is_sorted()).then(|| Instruction::new(primitive, arguments));
    }
    if primitive.name == "pad_einsum" {
        let iters = summary.as_block(block)?.iters.len();
        let factors = (0..iters).map(|_| rng.random_range(1..5)).collect();
        let block = summary.as_block(block)?.name.clone();
        let arguments = vec![Argument::Text(block), Argument::Integers(factors)];
        return Some(Instruction::new(primitive, arguments));
    }
    if primitive.name == "loop_partition" {
        // For an unknown extent, only the end can be split off.
        let target = loops_of(summary, block).choose(rng)?.clone();
        let mut parts: Vec<i64> =
            (0..rng.random_range(1..3)).map(|_| rng.random_range(1..3)).collect();
        let place = if rng.random_bool(0.3) { 0 } else { parts.len() };
        parts.insert(place, -1);
        let arguments = vec![Argument::Text(target), Argument::Integers(parts)];
        return Some(Instruction::new(primitive, arguments));
    }
    if primitive.name == "join" {
        // A statement that is followed by another one.
        let is_loop = |node: &NodeId| summary.as_loop(*node).is_some();
        let pairs = summary.nodes.values().flat_map(|node| node.children.windows(2));
        let loops: Vec<NodeId> =
            pairs.filter(|pair| pair.iter().all(is_loop)).map(|pair| pair[0]).collect();
        let target = Argument::Text(summary.name(*loops.choose(rng)?));
        return Some(Instruction::new(primitive, vec![target]));
    }
    if primitive.name == "specialize" {
        let size = summary.size_names.choose(rng)?;
        let number = rng.random_range(1..5);
        let condition = match rng.random_range(0..3) {
            0 => format!("{size} == {number}"),
            1 => format!("{size} mod {} == 0", 1 + number),
            _ => format!("{size} >= {number}"),
        };
        let name = &summary.as_block(block)?.name;
        let target = loops_of(summary, block).choose(rng).cloned().filter(|_| rng.random_bool(0.8));
        let target = target.unwrap_or_else(|| name.clone());
        let through = Argument::OptionalText(None);
        let arguments = vec![Argument::Text(target), Argument::Text(condition), through];
        return Some(Instruction::new(primitive, arguments));
    }
    if primitive.name == "reorder_statements" {
        let is_statement = |node: &NodeId| {
            matches!(summary.nodes[*node].kind, NodeKind::Loop(_) | NodeKind::Block(_))
        };
        let mut pairs = vec![];
        for node in summary.nodes.values() {
            let children: Vec<NodeId> =
                node.children.iter().copied().filter(is_statement).collect();
            pairs.extend(children.windows(2).map(|pair| (pair[0], pair[1])));
        }
        let (first, second) = *pairs.choose(rng)?;
        let arguments = [second, first].map(|node| Argument::Text(summary.name(node)));
        return Some(Instruction::new(primitive, arguments.to_vec()));
    }
    if primitive.name == "remove_loop" {
        // A loop that no iter is bound to.
        let this = summary.as_block(block)?;
        let around = summary.loops_around(block).filter_map(|node| summary.as_loop(node));
        let is_used = |v| this.binding.iter().any(|bound| mentions(bound, v));
        let unused: Vec<_> = around.filter(|around| !is_used(around.variable)).collect();
        let target = format!("{}:{}", this.name, unused.choose(rng)?.name);
        return Some(Instruction::new(primitive, vec![Argument::Text(target)]));
    }
    if primitive.name == "tile" {
        // Adjacent loops, and as many sizes.
        let loops = loops_of(summary, block);
        let n = rng.random_range(2..4).min(loops.len());
        let first = rng.random_range(0..=loops.len().checked_sub(n)?);
        let mut names = loops[first..first + n].to_vec();
        if rng.random_bool(0.3) {
            names.shuffle(rng);
        }
        let sizes = names.iter().map(|_| rng.random_range(1..4)).collect();
        let tail = words("tail").choose(rng).copied().filter(|_| rng.random_bool(0.5));
        arguments.extend([Argument::Texts(names), Argument::Integers(sizes)]);
        arguments.push(Argument::OptionalText(tail.map(str::to_owned)));
        return Some(Instruction::new(primitive, arguments));
    }
    for parameter in primitive.parameters {
        arguments.push(argument(parameter, arguments.len(), summary, block, rng)?);
    }
    Some(Instruction::new(primitive, arguments))
}

fn argument(
    parameter: &Parameter,
    place: usize,
    summary: &Summary,
    block: NodeId,
    rng: &mut StdRng,
) -> Option<Argument> {
    let block_name = |node: NodeId| summary.as_block(node).map(|block| block.name.clone());
    // Only the first parameter is the step's target; others may be anywhere.
    let blocks: Vec<NodeId> = summary.blocks().map(|(node, _)| node).collect();
    let here = if place == 0 { block } else { *blocks.choose(rng)? };
    let loops = loops_of(summary, here);
    let one = |rng: &mut StdRng| loops.choose(rng).cloned();
    Some(match parameter.kind {
        ParameterKind::Loop => Argument::Text(one(rng)?),
        ParameterKind::Loops => {
            // Adjacent loops in any order; for a primitive that needs their original order, one draw in two fits.
            let n = rng.random_range(2..4).min(loops.len());
            let first = rng.random_range(0..=loops.len().checked_sub(n)?);
            let mut names = loops[first..first + n].to_vec();
            names.shuffle(rng);
            Argument::Texts(names)
        }
        ParameterKind::Block => Argument::Text(block_name(here)?),
        ParameterKind::Target => match rng.random_bool(0.5) {
            true => Argument::Text(block_name(here)?),
            false => Argument::Text(one(rng)?),
        },
        ParameterKind::Buffer => {
            // A buffer that the schedule block accesses, if the target is a block.
            let accesses = summary.as_block(block).map(|block| block.accesses());
            let accessed = accesses.and_then(|accesses| accesses.choose(rng));
            let accessed = accessed.filter(|_| place > 0).map(|access| access.buffer);
            let any = BufferId::new(rng.random_range(0..summary.buffers.len()));
            Argument::Text(summary.buffers[accessed.unwrap_or(any)].name.clone())
        }
        ParameterKind::Blocks => match rng.random_bool(0.7) {
            true => Argument::Texts(vec![]),
            false => Argument::Texts(vec![block_name(here)?]),
        },
        ParameterKind::Integers => {
            let factor = rng.random_range(1..4);
            Argument::Integers(match rng.random_range(0..4) {
                0 | 1 => vec![-1, factor],
                2 => vec![factor, -1],
                _ => vec![rng.random_range(2..4), 2],
            })
        }
        ParameterKind::OptionalIntegers => Argument::Integers(vec![]),
        ParameterKind::OptionalInteger => {
            Argument::OptionalInteger(*[None, Some(2), Some(3)].choose(rng)?)
        }
        ParameterKind::Pattern => Argument::Text(match rng.random_range(0..3) {
            0 => "*".into(),
            1 => block_name(here)?,
            _ => one(rng)?,
        }),
        ParameterKind::Literal => Argument::Literal(rng.random_range(0..4i64).into()),
        ParameterKind::Word => Argument::Text((*words(parameter.name).choose(rng)?).into()),
        ParameterKind::OptionalWord => {
            let word = words(parameter.name).choose(rng).copied();
            let word = word.filter(|_| rng.random_bool(0.5));
            Argument::OptionalText(word.map(str::to_owned))
        }
    })
}

/// The loops around a block, outermost first, as handles.
fn loops_of(summary: &Summary, block: NodeId) -> Vec<String> {
    let Some(this) = summary.as_block(block) else { return vec![] };
    let mut names: Vec<String> = summary
        .loops_around(block)
        .filter_map(|node| summary.as_loop(node))
        .map(|around| format!("{}:{}", this.name, around.name))
        .collect();
    names.reverse();
    names
}
