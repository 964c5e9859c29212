//! Padded copies of a product's operands with whole tiles, and the rewrite of general products as matrix products.

use super::shape::{ProductTiling, Tile, joining};
use crate::ir::affine::Expr;
use crate::machine::cuda::Gpu;
use crate::nest::summary::{Access, Iter, mentions};
use crate::schedule::{Schedule, ScheduleError, query};
use crate::strategy::cuda::{elementwise, extent};
use crate::strategy::group::NestGroup;
use crate::strategy::nest::{AccessStride, at};

/// A matrix product and the blocks that copy for it.
pub struct Staged {
    /// The block that multiplies.
    pub block: String,
    /// Its batch loops.
    pub batches: Vec<String>,
    /// Its row, column and reduction loops.
    pub loops: [String; 3],
    pub operands: [StagedOperand; 2],
    /// The blocks that copy the initial values of sums, if copies are needed.
    pub starts: Vec<String>,
    /// The buffer of the sums.
    pub accumulator: String,
    /// The block that writes the results.
    pub result: String,
    /// True if the number of results along columns is a multiple of the vector width.
    pub is_whole: bool,
    /// True if the nest is a matrix product as it is.
    pub is_matrix: bool,
}

/// A copy of an operand.
pub struct StagedOperand {
    /// The copying block, which has the same name as its buffer.
    pub block: String,
    /// The layout of the copy, if it differs from the operand's: elements of one reduction step are contiguous.
    pub layout: Option<String>,
    /// The elements that are read at once.
    pub lanes: i64,
    /// True if these elements are contiguous along the last but one loop of the copy.
    pub is_transposed: bool,
    /// True if whole vectors of 16 bytes are copied unchanged, in the order in which they are.
    pub is_plain: bool,
}

/// Copies the operands of a product.
pub fn stage(
    schedule: &mut Schedule,
    group: &NestGroup,
    shape: &ProductTiling,
    (tile, gpu): (&Tile, &Gpu),
) -> Result<Staged, ScheduleError> {
    let is_matrix = shape.is_matrix();
    let mut staged = match is_matrix {
        true => Staged::of(schedule, shape, (tile, gpu))?,
        false => gathered(schedule, group, shape, (tile, gpu))?,
    };
    let padded = pad(schedule, &staged, tile)?;
    let copy = |buffer: &str, ending: &str| {
        let is_copy =
            |name: &&String| name.strip_prefix(buffer).is_some_and(|rest| rest.starts_with(ending));
        padded.iter().find(is_copy).cloned()
    };
    let bytes = shape.operands.map(|operand| operand.element_bytes);
    for (operand, bytes) in staged.operands.iter_mut().zip(bytes) {
        let buffer = operand.block.clone();
        match copy(&buffer, "_pad") {
            Some(copy) => {
                operand.block = copy;
                if !is_matrix {
                    schedule.compute_inline(&buffer)?;
                }
            }
            None if is_matrix => {
                let block = &staged.block;
                operand.block = schedule.cache_read(block, &buffer, "global", &[block], None)?;
                operand.is_plain = operand.layout.is_none() && operand.lanes * bytes == 16;
            }
            // A gathering block has its loops in reading order.
            None => operand.is_transposed = false,
        }
    }
    let mut starts = vec![];
    for buffer in &staged.starts {
        match copy(buffer, "_pad") {
            Some(copy) => {
                if !is_matrix {
                    schedule.compute_inline(buffer)?;
                }
                starts.push(copy);
            }
            None if is_matrix => {}
            None => schedule.compute_inline(buffer)?,
        }
    }
    staged.starts = starts;
    match copy(&staged.accumulator, "_unpad") {
        Some(copy) => {
            if !is_matrix {
                schedule.reverse_compute_inline(&staged.result)?;
            }
            staged.accumulator = source(schedule, &copy)?;
            staged.result = copy;
        }
        None if is_matrix => {
            staged.block =
                schedule.cache_write(&staged.block, &staged.accumulator, "global", None)?;
            staged.accumulator = staged.block.clone();
        }
        None => {}
    }
    if is_matrix {
        follow(schedule, group, gpu)?;
    }
    Ok(staged)
}

/// Pads the product to whole tiles, if tiles are partial; returns the copying blocks.
fn pad(
    schedule: &mut Schedule,
    staged: &Staged,
    tile: &Tile,
) -> Result<Vec<String>, ScheduleError> {
    let [row, column, depth] = &staged.loops;
    let sizes = [(row, tile.row.size()), (column, tile.column.size()), (depth, tile.depth)];
    let mut is_whole = true;
    for (name, size) in sizes {
        let extent = extent(schedule, &at(&staged.block, name))?;
        is_whole &= extent.is_some_and(|extent| extent % size == 0);
    }
    if is_whole {
        return Ok(vec![]);
    }
    let factor =
        |iter: &String| sizes.iter().find(|(name, _)| *name == iter).map_or(1, |(_, size)| *size);
    let factors: Vec<i64> = iters(schedule, &staged.block)?.iter().map(factor).collect();
    schedule.pad_einsum(&staged.block, &factors)
}

/// The loop that each iter of a schedule block is bound to.
fn iters(schedule: &Schedule, block: &str) -> Result<Vec<String>, ScheduleError> {
    let summary = schedule.summary();
    let mut loops = vec![];
    for name in schedule.loops(block)? {
        let this = summary.as_loop(query::node(summary, &name)?).expect("a loop was named");
        loops.push((this.variable.expr(), this.name.clone()));
    }
    let bound = schedule.block(block)?.binding.iter();
    let name = |bound: &Expr| loops.iter().find(|(variable, _)| variable == bound);
    Ok(bound.map(|bound| name(bound).map_or_else(String::new, |(_, name)| name.clone())).collect())
}

/// The buffers that a schedule block reads initial values from, and the iters that index each.
fn starts(schedule: &Schedule, block: &str) -> Result<Vec<(String, Vec<usize>)>, ScheduleError> {
    let buffers = &schedule.summary().buffers;
    let block = schedule.block(block)?;
    let of = |access: &Access| {
        let is_used = |iter: &Iter| {
            access.indices.iter().flatten().any(|index| mentions(index, iter.variable))
        };
        let iters = (0..block.iters.len()).filter(|i| is_used(&block.iters[*i]));
        (buffers[access.buffer].name.clone(), iters.collect())
    };
    Ok(block.loads().filter(|access| access.in_init).map(of).collect())
}

/// The buffer that a copying block reads.
fn source(schedule: &Schedule, copy: &str) -> Result<String, ScheduleError> {
    let read = schedule.block(copy)?.loads().next().expect("a copy reads").buffer;
    Ok(schedule.summary().buffers[read].name.clone())
}

/// Inlines elementwise followers into the block that writes the results; one that cannot be inlined becomes a kernel.
fn follow(schedule: &mut Schedule, group: &NestGroup, gpu: &Gpu) -> Result<(), ScheduleError> {
    for follower in &group.nests[1..] {
        if schedule.reverse_compute_inline(&follower.block).is_err() {
            elementwise::map_by_default(schedule, follower, gpu)?;
        }
    }
    Ok(())
}

impl Staged {
    /// The form of a nest that is a matrix product, before anything is copied: operands are the original buffers.
    fn of(
        schedule: &Schedule,
        shape: &ProductTiling,
        (tile, gpu): (&Tile, &Gpu),
    ) -> Result<Staged, ScheduleError> {
        let nest = shape.nest;
        let name = |axis: usize| nest.loops[axis].name.clone();
        let [row, column, depth] = [shape.own[0][0], shape.own[1][0], shape.depth[0]];
        let operand = |i: usize| {
            let access = shape.operands[i];
            let dimension = |axis: usize| access.dimensions[axis].expect("an operand of matrices");
            let [own, depth] = [shape.own[i][0], depth].map(dimension);
            let others = (0..access.rank).filter(|it| *it != own && *it != depth);
            let wanted: Vec<usize> = others.chain([depth, own]).collect();
            let is_so = wanted.iter().copied().eq(0..access.rank);
            let groups: Vec<Vec<usize>> = wanted.into_iter().map(|it| vec![it]).collect();
            StagedOperand {
                block: access.buffer.clone(),
                layout: (!is_so).then(|| joining(access.rank, &groups)),
                lanes: shape.groups(i, gpu).1,
                is_transposed: false,
                is_plain: false,
            }
        };
        let starts = starts(schedule, &nest.block)?;
        Ok(Staged {
            block: nest.block.clone(),
            batches: shape.batches.iter().map(|axis| name(*axis)).collect(),
            loops: [row, column, depth].map(name),
            operands: [operand(0), operand(1)],
            starts: starts.into_iter().map(|(buffer, _)| buffer).collect(),
            accumulator: nest.stores[0].buffer.clone(),
            result: nest.block.clone(),
            is_whole: shape.is_written_by(tile.column.together),
            is_matrix: true,
        })
    }
}

/// Rewrites any product as a matrix product: operands are gathered to matrices, and results are
/// scattered.
fn gathered(
    schedule: &mut Schedule,
    group: &NestGroup,
    shape: &ProductTiling,
    (tile, gpu): (&Tile, &Gpu),
) -> Result<Staged, ScheduleError> {
    let nest = shape.nest;
    let axis = |name: &String| nest.loops.iter().position(|axis| axis.name == *name);
    let axes: Vec<usize> = iters(schedule, &nest.block)?.iter().filter_map(axis).collect();
    let mut operands = vec![];
    for (i, access) in shape.operands.iter().enumerate() {
        let axes: Vec<usize> =
            axes.iter().copied().filter(|axis| access.steps[*axis] != AccessStride::None).collect();
        let (read, lanes) = shape.groups(i, gpu);
        let block = schedule.reindex(&nest.block, &access.buffer, "global")?;
        let needed = [&shape.depth[..], &shape.own[i]];
        schedule.transform_layout(&block, &joined(&axes, &shape.batches, &needed))?;
        schedule.transform_block_layout(&block, &joined(&axes, &shape.batches, &read))?;
        operands.push(StagedOperand {
            block,
            layout: None,
            lanes,
            is_transposed: read[0] != needed[0],
            is_plain: false,
        });
    }
    let [rows, columns] = [0, 1].map(|i| &shape.own[i][..]);
    let mut copied = vec![];
    for (buffer, iters) in starts(schedule, &nest.block)? {
        let axes: Vec<usize> = iters.iter().map(|iter| axes[*iter]).collect();
        let start = schedule.reindex(&nest.block, &buffer, "global")?;
        let all = joined(&axes, &shape.batches, &[rows, columns]);
        schedule.transform_layout(&start, &all)?;
        schedule.transform_block_layout(&start, &all)?;
        copied.push(start);
    }
    let store = &nest.stores[0].buffer;
    let block = schedule.reindex(&nest.block, store, "global")?;
    follow(schedule, group, gpu)?;
    let spatial: Vec<usize> =
        axes.iter().copied().filter(|axis| !nest.loops[*axis].is_reduction).collect();
    let results = joined(&spatial, &shape.batches, &[rows, columns]);
    schedule.transform_layout(&block, &results)?;
    schedule.transform_block_layout(&nest.block, &results)?;
    let all = joined(&axes, &shape.batches, &[rows, columns, &shape.depth]);
    schedule.transform_block_layout(&block, &all)?;
    let mut loops = iters(schedule, &block)?;
    let inner = loops.split_off(loops.len() - 3);
    Ok(Staged {
        accumulator: block.clone(),
        block,
        batches: loops,
        loops: inner.try_into().expect("there were three"),
        operands: operands.try_into().ok().expect("there are two"),
        starts: copied,
        result: nest.block.clone(),
        is_whole: shape.is_written_by(tile.column.together),
        is_matrix: false,
    })
}

/// A map over the loops `axes`: batches first, then the loops of each group fused to one.
fn joined(axes: &[usize], batches: &[usize], groups: &[&[usize]]) -> String {
    let place = |axis: &usize| axes.iter().position(|other| other == axis);
    let batches = batches.iter().filter_map(place).map(|place| vec![place]);
    let groups = groups.iter().map(|group| group.iter().filter_map(place).collect());
    let groups = groups.filter(|group: &Vec<usize>| !group.is_empty());
    joining(axes.len(), &batches.chain(groups).collect::<Vec<_>>())
}
