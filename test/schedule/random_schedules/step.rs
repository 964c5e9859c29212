//! Random steps: mostly ones that may be legal, on existing names.

#[path = "atomic.rs"]
mod atomic;
#[path = "dot.rs"]
mod dot;
#[path = "layout.rs"]
mod layout;
#[path = "place.rs"]
mod place;

use layout::{change_of_iters, in_place, is_plain, layout};
use loopwright::dialect::loop_enums::{Scope, ThreadAxis};
use loopwright::ir::affine::Expr;
use loopwright::nest::summary::{Access, Block, NodeId, NodeKind, Summary, mentions};
use loopwright::schedule::instruction::{
    Argument, Instruction, Literal, Parameter, ParameterKind, Primitive,
};
use loopwright::schedule::primitive::PRIMITIVES;
use loopwright::schedule::rewrite::pipelining::statements;
use place::Place;
use rand::Rng;
use rand::rngs::StdRng;
use rand::seq::{IndexedRandom, SliceRandom};
use std::sync::LazyLock;

/// The weight of each primitive.
const WEIGHTS: &[(&str, u32)] = &[
    ("split", 8),
    ("fuse", 4),
    ("reorder", 6),
    ("tile", 4),
    ("reorder_block_iter_var", 1),
    ("transform_block_layout", 2),
    ("loop_partition", 2),
    ("join", 3),
    ("shift", 2),
    ("unroll_and_jam", 2),
    ("specialize", 1),
    ("remove_loop", 6),
    ("reorder_statements", 3),
    ("unroll", 2),
    ("vectorize", 4),
    ("parallel", 2),
    ("bind", 4),
    ("atomic", 3),
    ("compute_inline", 1),
    ("reverse_compute_inline", 2),
    ("compute_at", 7),
    ("reverse_compute_at", 5),
    ("simple_compute_at", 2),
    ("cache_read", 4),
    ("cache_write", 3),
    ("cache_inplace", 3),
    ("reindex", 2),
    ("set_scope", 2),
    ("transform_layout", 3),
    ("storage_align", 3),
    ("fold_storage", 3),
    ("rolling_buffer", 3),
    ("prefetch", 2),
    ("sync_threads", 1),
    ("annotate", 1),
    ("unannotate", 1),
    ("rename", 1),
    ("rfactor", 4),
    ("decompose_reduction", 3),
    ("decompose_padding", 2),
    ("pad_einsum", 2),
    ("tensorize", 8),
    ("merge", 3),
    ("fission", 4),
    ("add_unit_loop", 2),
    ("blockize", 3),
    ("software_pipeline", 3),
    ("double_buffer", 3),
    ("sample_perfect_tile", 2),
    ("sample_tile", 2),
    ("sample_categorical", 1),
];

/// The weight of a primitive that is not among these.
const WEIGHT: u32 = 2;

/// The weights of all primitives that change something.
static ALL_WEIGHTS: LazyLock<Vec<(&str, u32)>> = LazyLock::new(|| {
    let is_query = |it: &Primitive| it.parameters[0].kind == ParameterKind::Pattern;
    let others = PRIMITIVES.iter().filter(|it| !is_listed(it.name) && !is_query(it));
    WEIGHTS.iter().copied().chain(others.map(|it| (it.name, WEIGHT))).collect()
});

/// True if a primitive has a weight of its own, and arguments that make legal steps.
pub fn is_listed(name: &str) -> bool {
    WEIGHTS.iter().any(|(listed, _)| *listed == name)
}

/// A random step on a function, preceded by steps that make the nest suitable for it.
pub fn random(summary: &Summary, rng: &mut StdRng) -> Vec<Instruction> {
    let place = Place::any_in(summary, rng);
    loop {
        let (name, _) = ALL_WEIGHTS.choose_weighted(rng, |(_, weight)| *weight).expect("not empty");
        // `join` needs a partitioned loop.
        let name = match *name {
            "join" if place.parts().is_empty() => "loop_partition",
            name => name,
        };
        let steps = match name {
            "tensorize" => dot::steps(summary, rng),
            "atomic" => atomic::steps(&place, rng),
            _ => arguments(name, &place, rng).map(|arguments| vec![step(name, arguments)]),
        };
        if let Some(steps) = steps {
            return steps;
        }
    }
}

/// A name for a decision.
fn decided(rng: &mut StdRng) -> Argument {
    Argument::Text(format!("d{}", rng.random_range(0..6)))
}

const NOT_DECIDED: Argument = Argument::Integers(vec![]);

/// The arguments of a step, if there is a target for it.
fn arguments(name: &str, place: &Place, rng: &mut StdRng) -> Option<Vec<Argument>> {
    Some(match name {
        "split" => {
            let target = place.any(rng)?;
            let factors = match rng.random_bool(0.1) {
                true => Argument::Decided(format!("$d{}", rng.random_range(0..6))),
                false => Argument::Integers(factors(place.extent(target), rng)),
            };
            vec![place.named(target), factors, Argument::OptionalText(tail(rng))]
        }
        "fuse" => {
            let first = rng.random_range(0..place.loops.len().max(2) - 1);
            let last = (first + rng.random_range(2..4)).min(place.loops.len());
            vec![place.several(place.loops.get(first..last)?)]
        }
        "reorder" => {
            let mut loops = place.loops.clone();
            loops.shuffle(rng);
            loops.truncate(rng.random_range(2..5));
            vec![place.several(&loops)]
        }
        "tile" => {
            let n = rng.random_range(2..4).min(place.loops.len());
            let first = rng.random_range(0..=place.loops.len() - n);
            let mut loops = place.loops.get(first..first + n).filter(|_| n > 1)?.to_vec();
            if rng.random_bool(0.3) {
                loops.reverse();
            }
            let sizes = loops.iter().map(|_| *[1, 2, 3, 4, 8].choose(rng).expect("not empty"));
            let sizes = Argument::Integers(sizes.collect());
            vec![place.several(&loops), sizes, Argument::OptionalText(tail(rng))]
        }
        "reorder_block_iter_var" => {
            let iters = place.summary.as_block(place.block)?.iters.len() as i64;
            let mut order: Vec<i64> = (0..iters).collect();
            order.shuffle(rng);
            vec![place.block_named(place.block), Argument::Integers(order)]
        }
        "transform_block_layout" => {
            let plain = is_plain(place.summary, place.block);
            let iters = place.summary.as_block(place.block).filter(|_| plain)?.iters.len();
            vec![place.block_named(place.block), text(&change_of_iters(iters, rng)?)]
        }
        "loop_partition" => {
            let target = place.any(rng)?;
            let mut parts: Vec<i64> =
                (0..rng.random_range(1..3)).map(|_| rng.random_range(1..4)).collect();
            parts.insert(rng.random_range(0..=parts.len()), -1);
            vec![place.named(target), Argument::Integers(parts)]
        }
        "join" => vec![text(&place.summary.name(*place.parts().choose(rng)?))],
        "shift" => {
            let by = Argument::OptionalInteger(*[None, Some(1), Some(3)].choose(rng)?);
            let align = Argument::OptionalInteger(*[None, Some(2), Some(4)].choose(rng)?);
            vec![place.named(place.any(rng)?), by, align]
        }
        "unroll_and_jam" => {
            let factor = Argument::OptionalInteger(*[None, Some(2), Some(3)].choose(rng)?);
            vec![place.named(place.any(rng)?), factor, Argument::OptionalText(tail(rng))]
        }
        "specialize" => {
            // Rarely specialises the same nest again.
            let is_branched = |node: &NodeKind| matches!(node, NodeKind::If(_));
            if place.summary.nodes.values().filter(|node| is_branched(&node.kind)).count() > 2 {
                return None;
            }
            let sizes: Vec<&String> = place.summary.size_names.iter().collect();
            let condition = condition_on(sizes.choose(rng)?, rng);
            let (target, through) = match place.beside(rng) {
                Some((first, last)) if rng.random_bool(0.4) => {
                    (text(&place.summary.name(first)), Some(place.summary.name(last)))
                }
                _ => (place.named(place.any(rng)?), None),
            };
            vec![target, text(&condition), Argument::OptionalText(through)]
        }
        "remove_loop" => {
            // Mostly a loop that nothing uses.
            let is_used = |node: &NodeId| {
                let variable = place.summary.as_loop(*node).map(|this| this.variable);
                place.summary.blocks_under(*node).into_iter().any(|block| {
                    let mut bound =
                        place.summary.as_block(block).into_iter().flat_map(|b| &b.binding);
                    bound.any(|bound| variable.is_some_and(|v| mentions(bound, v)))
                })
            };
            let loops =
                place.summary.nodes.keys().filter(|node| place.summary.as_loop(*node).is_some());
            let unused: Vec<NodeId> = loops.filter(|node| !is_used(node)).collect();
            match unused.choose(rng) {
                Some(node) => vec![text(&place.summary.name(*node))],
                None if rng.random_bool(0.1) => vec![place.named(place.any(rng)?)],
                None => return None,
            }
        }
        "reorder_statements" => {
            let (first, second) = place.beside(rng)?;
            vec![text(&place.summary.name(second)), text(&place.summary.name(first))]
        }
        "unroll" => {
            // Small loops, so that code stays small.
            let is_small = |node: &NodeId| place.extent(*node).is_some_and(|extent| extent <= 8);
            let small: Vec<NodeId> = place.loops.iter().copied().filter(is_small).collect();
            let target = small.choose(rng).copied().or_else(|| place.any(rng))?;
            let factor = *[None, None, Some(2), Some(3)].choose(rng)?;
            vec![place.named(target), Argument::OptionalInteger(factor)]
        }
        "vectorize" => {
            let inner = *place.loops[place.loops.len() / 2..].choose(rng)?;
            let factor = *[None, Some(2), Some(3), Some(4), Some(7), Some(8), Some(16), Some(33)]
                .choose(rng)?;
            vec![place.named(inner), Argument::OptionalInteger(factor)]
        }
        "parallel" => {
            let outer = *place.loops[..place.loops.len().div_ceil(2)].choose(rng)?;
            vec![place.named(outer)]
        }
        "bind" => {
            let axis = ThreadAxis::ALL.choose(rng)?;
            vec![place.named(place.any(rng)?), text(axis.word())]
        }
        "compute_inline" => vec![place.block_named(place.block)],
        "reverse_compute_inline" => vec![place.block_named(place.dependence(rng)?.1)],
        "compute_at" => {
            let (producer, reader) = place.dependence(rng)?;
            vec![place.block_named(producer), place.around(reader, rng)?]
        }
        "reverse_compute_at" => {
            let (producer, reader) = place.dependence(rng)?;
            vec![place.block_named(reader), place.around(producer, rng)?]
        }
        "simple_compute_at" => {
            let blocks: Vec<NodeId> = place.summary.blocks().map(|(node, _)| node).collect();
            let moved = *blocks.choose(rng)?;
            vec![place.block_named(moved), place.named(place.any(rng)?)]
        }
        "cache_read" => {
            let mut arguments = place.cache(false, rng)?;
            let mut consumers = vec![place.summary.as_block(place.block)?.name.clone()];
            consumers.truncate(usize::from(rng.random_bool(0.3)));
            arguments.push(Argument::Texts(consumers));
            arguments.push(place.packed(&arguments[1], rng));
            arguments
        }
        "cache_write" => {
            let mut arguments = place.cache(true, rng)?;
            arguments.push(place.packed(&arguments[1], rng));
            arguments
        }
        "reindex" => place.cache(rng.random_bool(0.4), rng)?,
        "cache_inplace" => {
            let both = in_place(place.summary);
            let (block, buffer) = both.choose(rng)?;
            vec![text(block), text(&place.summary.buffers[*buffer].name), scope(rng)]
        }
        "set_scope" => {
            let buffers = place.summary.buffers.values();
            let own: Vec<_> = buffers.filter(|buffer| buffer.scope.is_some()).collect();
            vec![text(&own.choose(rng)?.name), scope(rng)]
        }
        "transform_layout" => {
            let buffers = place.summary.buffers.values();
            let own: Vec<_> = buffers.filter(|buffer| buffer.scope.is_some()).collect();
            let buffer = own.choose(rng)?;
            vec![text(&buffer.name), text(&layout(buffer.shape.len(), rng)?)]
        }
        "storage_align" => {
            let buffers = place.summary.buffers.values();
            let own: Vec<_> = buffers.filter(|buffer| buffer.scope.is_some()).collect();
            let mut numbers = vec![text(&own.choose(rng)?.name)];
            for choices in
                [[None, Some(0), Some(1)], [None, Some(3), Some(8)], [None, Some(1), Some(2)]]
            {
                numbers.push(Argument::OptionalInteger(*choices.choose(rng)?));
            }
            numbers
        }
        "fold_storage" => {
            let buffers = place.summary.buffers.values();
            let own: Vec<_> = buffers.filter(|buffer| buffer.scope.is_some()).collect();
            let mut numbers = vec![text(&own.choose(rng)?.name)];
            for choices in [[None, Some(0), Some(1)], [None, Some(1), Some(3)]] {
                numbers.push(Argument::OptionalInteger(*choices.choose(rng)?));
            }
            numbers
        }
        "rolling_buffer" => {
            let (producer, _) = place.dependence(rng)?;
            vec![place.block_named(producer), place.around(producer, rng)?]
        }
        "prefetch" => {
            let target = place.any(rng)?;
            let variable = place.summary.as_loop(target)?.variable;
            let block = place.summary.as_block(place.block)?;
            let bound = |access: &Access| {
                let iters = block.iters.iter().zip(&block.binding);
                let mut moved = iters.filter(|(_, bound)| mentions(bound, variable));
                moved.any(|(iter, _)| {
                    access.indices.iter().flatten().any(|index| mentions(index, iter.variable))
                })
            };
            let moved: Vec<&Access> = block.loads().filter(|load| bound(load)).collect();
            let buffer = &place.summary.buffers[moved.choose(rng)?.buffer];
            let distance = Argument::OptionalInteger(*[None, Some(2), Some(5)].choose(rng)?);
            vec![place.named(target), text(&buffer.name), distance]
        }
        "sync_threads" => vec![place.named(place.any(rng)?)],
        "annotate" => {
            let value = Argument::Literal(Literal::Integer(rng.random_range(-9..9)));
            vec![place.named(place.any(rng)?), text("note"), value]
        }
        "rename" => {
            let names = ["x", "y.0", "C", "i"];
            vec![place.named(place.any(rng)?), text(names.choose(rng)?)]
        }
        "unannotate" => {
            let nodes = &place.summary.nodes;
            let annotated = nodes.keys().find(|node| match &nodes[*node].kind {
                NodeKind::Loop(this) => !this.annotations.is_empty(),
                NodeKind::Block(this) => !this.annotations.is_empty(),
                _ => false,
            });
            vec![text(&place.summary.name(annotated?)), text("note")]
        }
        "rfactor" => {
            let target = place.reducing(rng).or_else(|| place.any(rng))?;
            let axis = *[None, Some(0), Some(1), Some(-1), Some(-2)].choose(rng)?;
            vec![place.named(target), Argument::OptionalInteger(axis)]
        }
        "decompose_reduction" => {
            vec![place.block_named(place.block), place.named(place.any(rng)?)]
        }
        "decompose_padding" => {
            let is_padded = |(_, block): &(NodeId, &Block)| block.padding.is_some();
            let (padded, block) = place.summary.blocks().find(is_padded)?;
            let around: Vec<NodeId> = place.summary.loops_around(padded).collect();
            let before = place.summary.as_loop(*around.choose(rng)?)?;
            let before = text(&format!("{}:{}", block.name, before.name));
            vec![place.block_named(padded), before]
        }
        "pad_einsum" => {
            // Mostly a block whose iters are its loops, in a perfect nest.
            let is_plain = |(node, block): &(NodeId, &Block)| {
                let is_loop = |bound: &Expr| matches!(bound, Expr::Dim(_));
                let starts = block.has_init || block.reducer.is_none();
                let is_alone = |node: NodeId| {
                    place.summary.nodes[node].children.len() == 1
                        && place.summary.as_loop(node).is_some_and(|l| l.thread.is_none())
                };
                starts
                    && !block.accesses().is_empty()
                    && block.predicate.is_empty()
                    && block.binding.iter().all(is_loop)
                    && place.summary.ancestors(*node).all(is_alone)
            };
            let plain: Vec<NodeId> = place.summary.blocks().filter(is_plain).map(|b| b.0).collect();
            let block = match rng.random_bool(0.1) {
                true => place.block,
                false => *plain.choose(rng)?,
            };
            let iters = &place.summary.as_block(block)?.iters;
            let mut factor = || *[1, 2, 4, 8, 16].choose(rng).expect("not empty");
            let factors = iters.iter().map(|_| factor()).collect();
            vec![place.block_named(block), Argument::Integers(factors)]
        }
        "sample_perfect_tile" => {
            let numbers: [&[Option<i64>]; 2] = [&[None, Some(1), Some(3)], &[None, Some(4)]];
            let [parts, most] = numbers.map(|of| of.choose(rng).copied().flatten());
            let seed = Argument::OptionalInteger(Some(rng.random_range(0..100)));
            let (parts, most) = (Argument::OptionalInteger(parts), Argument::OptionalInteger(most));
            vec![place.named(place.any(rng)?), decided(rng), parts, most, NOT_DECIDED, seed]
        }
        "sample_tile" => {
            let numbers: [&[Option<i64>]; 2] = [&[None, Some(3)], &[None, Some(4)]];
            let limits = numbers.map(|of| of.choose(rng).copied().flatten());
            let seed = Argument::OptionalInteger(Some(rng.random_range(0..100)));
            let mut arguments = vec![place.named(place.any(rng)?), decided(rng)];
            arguments.extend(limits.map(Argument::OptionalInteger));
            arguments.extend([NOT_DECIDED, seed]);
            arguments
        }
        "sample_categorical" => {
            let seed = Argument::OptionalInteger(Some(rng.random_range(0..100)));
            let weights = [vec![], vec![1, 0, 3]].choose(rng).cloned()?;
            let (candidates, weights) = (vec![2, 3, 8], Argument::Integers(weights));
            let candidates = Argument::Integers(candidates);
            vec![decided(rng), candidates, weights, Argument::OptionalInteger(None), seed]
        }
        "add_unit_loop" | "blockize" if rng.random_bool(0.5) => {
            vec![place.block_named(place.block)]
        }
        "add_unit_loop" | "blockize" => vec![place.named(place.any(rng)?)],
        "software_pipeline" => {
            let has_several = |node: &NodeId| statements(place.summary, *node).len() > 1;
            let several: Vec<NodeId> = place.loops.iter().copied().filter(has_several).collect();
            let target = several.choose(rng).copied().or_else(|| place.any(rng))?;
            let mut stage = 0;
            let stages: Vec<i64> = statements(place.summary, target)
                .iter()
                .enumerate()
                .map(|(i, _)| {
                    stage += if i > 0 { rng.random_range(0..3) } else { 0 };
                    stage
                })
                .collect();
            let mut order: Vec<i64> = (0..stages.len() as i64).collect();
            match rng.random_range(0..3) {
                0 => order.reverse(),
                1 => order.shuffle(rng),
                _ => {}
            }
            vec![place.named(target), Argument::Integers(stages), Argument::Integers(order)]
        }
        "double_buffer" => {
            let block = match place.dependence(rng) {
                Some((producer, _)) => place.block_named(producer),
                None => place.block_named(place.block),
            };
            vec![block, Argument::OptionalInteger(*[None, None, Some(3), Some(4)].choose(rng)?)]
        }
        "fission" => {
            let target = match place.any(rng) {
                Some(inner) if rng.random_bool(0.5) => place.named(inner),
                _ => place.block_named(place.block),
            };
            vec![target, Argument::OptionalInteger(*[None, None, Some(2)].choose(rng)?)]
        }
        "merge" => {
            let (first, second) = place.follow_each_other(rng)?;
            vec![Argument::Texts(vec![first, second])]
        }
        other => return by_kinds(other, place, rng),
    })
}

/// The arguments of a primitive that has no entry above.
fn by_kinds(name: &str, place: &Place, rng: &mut StdRng) -> Option<Vec<Argument>> {
    let primitive = primitive(name);
    primitive.parameters.iter().map(|parameter| by_kind(parameter, place, rng)).collect()
}

fn by_kind(parameter: &Parameter, place: &Place, rng: &mut StdRng) -> Option<Argument> {
    let numbers: &[Option<i64>] = &[None, Some(2), Some(4)];
    Some(match parameter.kind {
        ParameterKind::Loop => place.named(place.any(rng)?),
        ParameterKind::Loops => place.several(place.loops.get(..2)?),
        ParameterKind::Block => place.block_named(place.block),
        ParameterKind::Target if rng.random_bool(0.5) => place.block_named(place.block),
        ParameterKind::Target => place.named(place.any(rng)?),
        ParameterKind::Buffer => text(&place.summary.buffers.as_values_slice().choose(rng)?.name),
        ParameterKind::Integers => Argument::Integers(factors(None, rng)),
        ParameterKind::OptionalInteger => Argument::OptionalInteger(*numbers.choose(rng)?),
        ParameterKind::Literal => Argument::Literal(Literal::Integer(rng.random_range(-9..9))),
        ParameterKind::Word => match parameter.name {
            "as" => decided(rng),
            "scope" => scope(rng),
            name => text(name),
        },
        ParameterKind::OptionalWord if parameter.name == "tail" => {
            Argument::OptionalText(tail(rng))
        }
        ParameterKind::OptionalWord
        | ParameterKind::OptionalIntegers
        | ParameterKind::Blocks
        | ParameterKind::Pattern => parameter.kind.default()?,
    })
}

fn step(name: &str, arguments: Vec<Argument>) -> Instruction {
    Instruction::new(primitive(name), arguments)
}

fn primitive(name: &str) -> &'static Primitive {
    Primitive::of(name).unwrap_or_else(|| panic!("there is no \"{name}\""))
}

fn text(text: &str) -> Argument {
    Argument::Text(text.to_owned())
}

fn scope(rng: &mut StdRng) -> Argument {
    text(Scope::ALL.choose(rng).expect("not empty").word())
}

/// A condition on a size.
fn condition_on(size: &str, rng: &mut StdRng) -> String {
    let number = rng.random_range(1..9);
    match rng.random_range(0..4) {
        0 => format!("{size} == {number}"),
        1 => format!("{size} mod {} == 0", 1 + number),
        2 => format!("{size} < {number}"),
        _ => format!("{size} >= {number}"),
    }
}

/// The tail strategy.
fn tail(rng: &mut StdRng) -> Option<String> {
    let tails = [None, None, Some("guard"), Some("peel"), Some("shift_inwards"), Some("pad")];
    tails.choose(rng).copied().flatten().map(str::to_owned)
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
