//! Pseudo-random steps for a function; only a seed determines them.

use loopwright::dialect::loop_enums::ThreadAxis;
use loopwright::nest::summary::{BufferId, NodeId, Summary};
use loopwright::schedule::instruction::{
    Argument, Instruction, Parameter, ParameterKind, Primitive,
};

/// The primitives of recorded steps. A new primitive is not among them, so that the record of other steps stays.
const RECORDED: &str = "\
    split fuse reorder tile reorder_block_iter_var transform_block_layout loop_partition \
    join shift unroll_and_jam specialize remove_loop reorder_statements unroll vectorize \
    parallel bind atomic compute_inline cache_read cache_write cache_inplace reindex \
    set_scope transform_layout storage_align fold_storage rolling_buffer prefetch \
    sync_threads annotate unannotate rfactor decompose_reduction decompose_padding \
    pad_einsum compute_at reverse_compute_at simple_compute_at reverse_compute_inline merge \
    fission add_unit_loop blockize tensorize software_pipeline double_buffer \
    sample_perfect_tile sample_categorical sample_compute_location";

/// A number below `n`, which is not 0: the next one of a sequence.
pub fn below(n: usize, state: &mut u64) -> usize {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    ((*state >> 33) % n as u64) as usize
}

fn one_of<T: Clone>(items: &[T], state: &mut u64) -> Option<T> {
    (!items.is_empty()).then(|| items[below(items.len(), state)].clone())
}

/// A step of any primitive, with arguments that exist in the function.
pub fn drawn(summary: &Summary, state: &mut u64) -> Option<Instruction> {
    let names: Vec<&str> = RECORDED.split_whitespace().collect();
    let primitive = Primitive::of(names[below(names.len(), state)])?;
    let blocks: Vec<NodeId> = summary.blocks().map(|(node, _)| node).collect();
    let block = one_of(&blocks, state)?;
    let mut arguments = vec![];
    for (i, parameter) in primitive.parameters.iter().enumerate() {
        let here = if i == 0 { block } else { one_of(&blocks, state)? };
        arguments.push(argument(parameter, summary, (block, here), state)?);
    }
    Some(Instruction::new(primitive, arguments))
}

/// An argument: names of schedule block `here`, buffers of `block`.
fn argument(
    parameter: &Parameter,
    summary: &Summary,
    (block, here): (NodeId, NodeId),
    state: &mut u64,
) -> Option<Argument> {
    let name = |node: NodeId| summary.as_block(node).map(|block| block.name.clone());
    let mut loops: Vec<String> = summary
        .loops_around(here)
        .filter_map(|node| Some(format!("{}:{}", name(here)?, summary.as_loop(node)?.name)))
        .collect();
    loops.reverse();
    let words: Vec<String> = match parameter.name {
        "thread" => ThreadAxis::ALL.iter().map(|axis| axis.word().into()).collect(),
        "scope" => ["global", "shared", "local"].map(Into::into).into(),
        "tail" => ["guard", "peel", "shift_inwards", "pad"].map(Into::into).into(),
        "place" => ["before", "after"].map(Into::into).into(),
        "key" => ["pragma", "note"].map(Into::into).into(),
        "index_map" => [
            "(i) -> (i floordiv 4, i mod 4)",
            "(i, j) -> (j, i)",
            "(i, j)[n, m] -> (i * m + j)",
            "(i, j) -> (i, j floordiv 2)",
        ]
        .map(Into::into)
        .into(),
        "proof" => ["assume", "guard"].map(Into::into).into(),
        _ => vec![],
    };
    Some(match parameter.kind {
        ParameterKind::Loop => Argument::Text(one_of(&loops, state)?),
        ParameterKind::Loops => {
            let first = below(loops.len().checked_sub(1)?.max(1), state);
            let last = (first + 2 + below(2, state)).min(loops.len());
            let mut chosen = loops[first..last].to_vec();
            if below(2, state) == 0 {
                chosen.reverse();
            }
            Argument::Texts(chosen)
        }
        ParameterKind::Block => Argument::Text(name(here)?),
        ParameterKind::Target if below(2, state) == 0 => Argument::Text(one_of(&loops, state)?),
        ParameterKind::Target => Argument::Text(name(here)?),
        ParameterKind::Buffer => {
            let accesses = summary.as_block(block)?.accesses();
            let accessed: Vec<BufferId> = accesses.iter().map(|access| access.buffer).collect();
            let any: Vec<BufferId> = summary.buffers.keys().collect();
            let buffer = one_of(&accessed, state).or_else(|| one_of(&any, state))?;
            Argument::Text(summary.buffers[buffer].name.clone())
        }
        ParameterKind::Blocks if below(3, state) == 0 => {
            Argument::Texts(vec![name(block)?, name(here)?])
        }
        ParameterKind::Blocks => Argument::Texts(vec![]),
        ParameterKind::Integers => {
            let k = 2 + below(3, state) as i64;
            Argument::Integers(one_of(
                &[vec![-1, k], vec![k, -1], vec![-1, k, 2], vec![3, k]],
                state,
            )?)
        }
        ParameterKind::OptionalIntegers => Argument::Integers(vec![]),
        ParameterKind::OptionalInteger => {
            Argument::OptionalInteger(one_of(&[None, None, Some(2), Some(3), Some(-1)], state)?)
        }
        ParameterKind::Literal => Argument::Literal((below(4, state) as i64).into()),
        ParameterKind::Word => Argument::Text(one_of(&words, state)?),
        ParameterKind::OptionalWord => Argument::OptionalText(match below(3, state) {
            0 => one_of(&words, state),
            _ => None,
        }),
        ParameterKind::Pattern => return None,
    })
}
