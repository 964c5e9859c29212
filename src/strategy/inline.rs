//! Inlines values that are cheaper to recompute than to store.

use super::group::is_product;
use super::nest::{AccessStride, Nest, NestAccess};
use crate::analysis::op_cost::{FEW_OPERATIONS, MOST_COPIES};
use crate::ir::affine::Expr;
use crate::schedule::{Schedule, query};

/// Inlines blocks where it is legal and profitable, from the last schedule block to the first: after later blocks are
/// inlined, a value may have fewer readers.
pub fn run(schedule: &mut Schedule) {
    for block in schedule.blocks().into_iter().rev() {
        schedule.focus(&[&block]);
        if pays(schedule, &block).unwrap_or(false) {
            // A refusal is no error: the value stays in its buffer.
            let _ = schedule.compute_inline(&block);
        }
    }
}

/// True if inlining a block into its readers is profitable; `None` if that is not known.
fn pays(schedule: &Schedule, block: &str) -> Option<bool> {
    let summary = schedule.summary();
    let nest = |name: &str| {
        let node = query::node(summary, name).ok()?;
        let is_unconditional = summary.ancestors(node).all(|it| summary.as_loop(it).is_some());
        is_unconditional.then(|| Nest::of(summary, node))?
    };
    let producer = nest(block)?;
    let [store] = &producer.stores[..] else { return None };
    if producer.is_reduction() || store.is_argument {
        return Some(false);
    }
    let readers = schedule.consumers(block).ok()?;
    let readers: Vec<Nest> = readers.iter().map(|reader| nest(reader)).collect::<Option<_>>()?;
    let is_free = producer.operations == 0 && !producer.is_conditional;
    // Windows overlap, so each element is tested several times. That is cheaper than to write and to read a padded copy.
    let pads_windows = producer.operations == 0
        && !producer.padded.is_empty()
        && readers.iter().all(|reader| reads_windows(reader, &store.buffer));
    let of_buffer =
        |reader: &Nest| reader.loads.iter().filter(|load| load.buffer == store.buffer).count();
    let copies: usize = readers.iter().map(of_buffer).sum();
    let is_cheap = producer.functions == 0
        && producer.operations <= FEW_OPERATIONS
        && !producer.is_conditional
        && copies <= MOST_COPIES;
    let is_once = |reader: &Nest| of_buffer(reader) == 1 && reader.is_no_larger_than(&producer);
    // True if the reader starts from the value, so that it reads it once for each result.
    let starts_from = |reader: &Nest| reader.loads.iter().all(|load| load.buffer != store.buffer);
    let may = |reader: &Nest| match is_product(reader) {
        _ if pads_windows => true,
        // Products read each value of a factor many times, in an order of their own.
        true => {
            is_free
                && (starts_from(reader)
                    || is_relabeled(&producer)
                    || is_read_once_along_rows(reader, &producer))
        }
        false => is_free || reader.is_no_larger_than(&producer),
    };
    let few_readers = readers.len() == 1 && readers.iter().all(is_once);
    Some(
        !readers.is_empty()
            && readers.iter().all(may)
            && (is_free || pads_windows || is_cheap || few_readers)
            && (keeps_rows(&producer, &readers, &store.buffer)
                || readers.iter().all(|reader| is_read_once_along_rows(reader, &producer))),
    )
}

/// True if a product reads each value of a buffer once, and reads rows if it reads what the buffer is a copy of: a vector times a
/// transposed matrix. Weights are copied once for all calls, so their copies are as good as they are.
fn is_read_once_along_rows(reader: &Nest, producer: &Nest) -> bool {
    let ([from], [to], Some(last)) =
        (&producer.loads[..], &producer.stores[..], reader.reductions().last().copied())
    else {
        return false;
    };
    let is_long = |axis: &usize| reader.loops[*axis].extent != Some(1);
    let is_read_once = |load: &NestAccess| {
        (0..reader.loops.len()).filter(is_long).all(|axis| load.steps[axis] != AccessStride::None)
    };
    let is_row_of_source = |load: &NestAccess| {
        let along = (0..producer.loops.len()).find(|axis| {
            load.dimensions[last].is_some() && to.dimensions[*axis] == load.dimensions[last]
        });
        along.is_some_and(|axis| from.steps[axis] == AccessStride::Unit)
    };
    let is_alike = |load: &NestAccess| match load.buffer == to.buffer {
        true => is_read_once(load) && is_row_of_source(load),
        false => load.steps[last] == AccessStride::Unit,
    };
    !from.has_lifted_transforms && reader.loads.iter().all(is_alike)
}

/// True if a reduction reads a buffer in short windows, and reads each window for one result: a pooling or a depthwise convolution,
/// and no convolution of several filters.
fn reads_windows(reader: &Nest, buffer: &str) -> bool {
    let mut reads = reader.loads.iter().filter(|load| load.buffer == buffer);
    let spatial: Vec<usize> =
        reader.spatial().into_iter().filter(|axis| reader.loops[*axis].extent != Some(1)).collect();
    reader.reduces_windows()
        && reader.reduces_short_rows()
        && reads.all(|load| spatial.iter().all(|axis| load.steps[*axis] != AccessStride::None))
}

/// True if a nest copies a whole buffer to one that has the elements in the same order in memory, as a reshape does that adds or
/// removes dimensions of one element. Reading the one is as good as reading the other.
fn is_relabeled(nest: &Nest) -> bool {
    let ([load], [store]) = (&nest.loads[..], &nest.stores[..]) else { return false };
    let wide = || (0..nest.loops.len()).filter(|axis| nest.loops[*axis].extent != Some(1));
    let order = |access: &NestAccess| -> Option<Vec<usize>> {
        let mut axes: Vec<(usize, usize)> =
            wide().map(|axis| Some((access.dimensions[axis]?, axis))).collect::<Option<_>>()?;
        axes.sort_unstable();
        Some(axes.into_iter().map(|(_, axis)| axis).collect())
    };
    let covers = |access: &NestAccess| {
        let is_covered = |(dimension, size): (usize, &Option<Expr>)| {
            let axis = wide().find(|axis| access.dimensions[*axis] == Some(dimension));
            match (axis, size) {
                (Some(axis), Some(size)) => nest.loops[axis].bounds == [size.clone()],
                (None, size) => size.as_ref().and_then(Expr::constant) == Some(1),
                (Some(_), None) => false,
            }
        };
        access.sizes.iter().enumerate().all(is_covered)
    };
    covers(load) && covers(store) && order(store).is_some_and(|it| order(load) == Some(it))
}

/// True if the readers that run along their rows still read along rows after inlining. Elementwise readers may
/// read across rows, because they are tiled.
fn keeps_rows(producer: &Nest, readers: &[Nest], buffer: &str) -> bool {
    let is_along = |nest: &Nest, axis: usize, buffer: Option<&str>| {
        let mut accesses =
            nest.loads.iter().filter(|load| buffer.is_none_or(|name| load.buffer == name));
        accesses.all(|load| load.steps[axis] != AccessStride::Far)
    };
    let Some(along) = producer.store_axis() else { return true };
    let is_transposed = !is_along(producer, along, None);
    !is_transposed
        || !readers.iter().filter(|reader| reader.is_reduction()).any(|reader| {
            let axis = reader.store_axis().or(reader.reductions().last().copied());
            axis.is_some_and(|axis| is_along(reader, axis, Some(buffer)))
        })
}
