//! The axes of a schedule block and of its outputs, as the block's attribute `loop.axes` states them.
//!
//! ```text
//! loop.block "C" .. attributes {loop.axes = {
//!     sched_axis = ["i", "j.0", "j.1"], loop_axis = "j.0",
//!     vectorized_axis = [["j.0", "j.1"]], vectorized_stride = [[16, 1]]}}
//! ```
//! - `sched_axis`: the loops around the block, outermost first.
//! - `loop_axis`: the last of them before those that are vectorized or unrolled at the end. It and those before it are
//!   loops; those after it are the data of one run of the innermost loop's body. Absent if there is no such loop.
//! - `vectorized_axis`: for each buffer that the block writes, the loops on which the position in the buffer depends:
//!   what the buffer holds.
//! - `vectorized_stride`: for each of these, how many elements apart two iterations are: a number, a map over the
//!   block's sizes, or `*` if the distance is not the same everywhere.
//!
//! As access regions, these are derived from the loops, bindings and buffers; the verifier derives them again. A step or
//! pass that changes loops drops them.

use super::loop_enums::LoopKind;
use super::loop_op::{BufferView, For, RegionDim, ScheduleBlock};
use super::region::dimension;
use crate::ir::affine::{Expr, Linear, Map};
use crate::ir::{Attribute, Error, Op, Type, Value, parents, walk};

/// The discardable attribute of a block, and the unit attribute of a function whose blocks have it.
pub const NAME: &str = "loop.axes";

/// The axes of a block.
#[derive(Clone, Debug)]
pub struct BlockAxes<'c> {
    /// The loops around the block, outermost first.
    pub sched_axis: Vec<For<'c>>,
    /// How many of them are loops; the others are the data of one run of the body.
    pub loops: usize,
    /// One for each buffer that the block writes.
    pub outputs: Vec<OutputAxes<'c>>,
}

/// The axes of a buffer that a block writes.
#[derive(Clone, Debug)]
pub struct OutputAxes<'c> {
    pub buffer: Value<'c>,
    /// Each by its index in `sched_axis`, with its stride in elements, over the sizes of the block; `None` if it has no
    /// single stride.
    pub vectorized: Vec<(usize, Option<Expr>)>,
}

impl<'c> BlockAxes<'c> {
    /// The axes of a block that is no nest.
    pub fn of(block: &ScheduleBlock<'c>) -> BlockAxes<'c> {
        let mut sched_axis: Vec<For> =
            parents(block.op).filter_map(|op| For::of(op).ok()).collect();
        let is_data = |this: &&For| matches!(this.kind, LoopKind::Vectorize | LoopKind::Unroll);
        let data = sched_axis.iter().take_while(is_data).count();
        sched_axis.reverse();
        let loops = sched_axis.len() - data;
        let output = |region: &super::loop_op::AccessRegion<'c>| OutputAxes {
            buffer: region.buffer,
            vectorized: vectorized(block, &sched_axis, region.buffer, &region.spans),
        };
        let outputs = block.writes.iter().map(output).collect();
        BlockAxes { sched_axis, loops, outputs }
    }

    /// The attribute that states them.
    fn attribute(&self, block: &ScheduleBlock<'c>) -> Attribute<'c> {
        let context = block.op.context();
        let name = |i: usize| self.sched_axis[i].name;
        let names = |axes: &mut dyn Iterator<Item = usize>| {
            Attribute::strings(context, &axes.map(name).collect::<Vec<_>>())
        };
        let stride = |(_, stride): &(usize, Option<Expr>)| match stride {
            None => Attribute::string(context, "*"),
            Some(Expr::Constant(number)) => Attribute::integer(Type::integer(context, 64), *number),
            Some(stride) => {
                let results = vec![stride.clone()];
                Map { dims: 0, symbols: block.sizes.len(), results }.to_attribute(context)
            }
        };
        let mut axes = vec![];
        let mut strides = vec![];
        for output in &self.outputs {
            axes.push(names(&mut output.vectorized.iter().map(|(i, _)| *i)));
            let of_output: Vec<_> = output.vectorized.iter().map(stride).collect();
            strides.push(Attribute::array(context, &of_output));
        }
        let mut entries = vec![
            ("sched_axis", names(&mut (0..self.sched_axis.len()))),
            ("vectorized_axis", Attribute::array(context, &axes)),
            ("vectorized_stride", Attribute::array(context, &strides)),
        ];
        if let Some(last) = self.loops.checked_sub(1) {
            entries.push(("loop_axis", Attribute::string(context, name(last))));
        }
        Attribute::dictionary(context, &entries)
    }
}

/// States the axes of blocks of a function that are no nests.
pub fn state<'c>(function: Op<'c>, blocks: &[Op<'c>]) -> Result<(), Error<'c>> {
    for op in blocks {
        let block = ScheduleBlock::of(*op)?;
        op.set_attribute(NAME, BlockAxes::of(&block).attribute(&block));
    }
    function.set_attribute(NAME, Attribute::unit(function.context()));
    Ok(())
}

/// Removes what blocks of a function state, before its loops change.
pub fn forget(function: Op) {
    if function.attribute(NAME).is_none() {
        return;
    }
    function.remove_attribute(NAME);
    for op in walk(function).into_iter().filter(|op| op.is(ScheduleBlock::NAME)) {
        op.remove_attribute(NAME);
    }
}

/// (B13)
pub(super) fn verify<'c>(block: &ScheduleBlock<'c>) -> Result<(), Error<'c>> {
    let Some(stated) = block.op.attribute(NAME) else { return Ok(()) };
    if block.is_nest() {
        let message = format!(
            "\"{}\" has '{NAME}', which only a block without nested blocks has",
            block.name
        );
        return Err(Error::on(block.op, message));
    }
    let derived = BlockAxes::of(block).attribute(block);
    if stated == derived {
        return Ok(());
    }
    let message = format!(
        "\"{}\" has the axes {stated}, expected {derived}: state them again, or remove '{NAME}'",
        block.name
    );
    Err(Error::on(block.op, message))
}

/// The loops on which the position in a buffer depends, with their strides.
fn vectorized<'c>(
    block: &ScheduleBlock<'c>,
    loops: &[For<'c>],
    buffer: Value<'c>,
    spans: &[RegionDim],
) -> Vec<(usize, Option<Expr>)> {
    let dims = dims(block, buffer);
    // Over the loops; what is not known counts as dependent on all loops.
    let mut position = Some(Expr::Constant(0));
    for (i, span) in spans.iter().enumerate() {
        let index = match span {
            RegionDim::Whole => None,
            RegionDim::Range { offset, .. } => over_loops(block, loops, offset),
        };
        let size = dims.get(i).cloned().flatten();
        position = match (position, index, size) {
            (Some(position), Some(index), Some(size)) => Some(position * size + index),
            // The size of the outermost dimension does not matter.
            (Some(_), Some(index), None) if i == 0 => Some(index),
            _ => None,
        };
    }
    let Some(position) = position else { return (0..loops.len()).map(|i| (i, None)).collect() };
    let values = |leaf: &Expr| match leaf {
        Expr::Dim(i) => Some((0, loops[*i].constant_extent().filter(|extent| *extent > 0)? - 1)),
        _ => None,
    };
    let position = Linear::of(&position.simplified_within(&values));
    let stride = |i: usize| {
        let mut sum = Expr::Constant(0);
        for (atom, coefficient) in position.terms.iter() {
            let (own, others): (Vec<Expr>, Vec<Expr>) =
                atom.factors().into_iter().partition(|factor| mentions(factor, i));
            match &own[..] {
                [] => {}
                [Expr::Dim(_)] if !others.iter().any(Expr::has_dims) => {
                    let weight = Expr::Constant(*coefficient);
                    sum = others.into_iter().fold(weight, |all, it| all * it) + sum;
                }
                _ => return Some((i, None)),
            }
        }
        let sum = sum.simplified();
        (sum.constant() != Some(0)).then_some((i, Some(sum)))
    };
    (0..loops.len()).filter_map(stride).collect()
}

fn mentions(expr: &Expr, dim: usize) -> bool {
    let mut found = false;
    expr.visit_leaves(&mut |leaf| found |= *leaf == Expr::Dim(dim));
    found
}

/// The allocated dimensions of a buffer over the sizes of a block; `None` for one that is not known.
fn dims<'c>(block: &ScheduleBlock<'c>, buffer: Value<'c>) -> Vec<Option<Expr>> {
    let symbol = |wanted: &dyn Fn(Value<'c>) -> bool| {
        block.sizes.iter().position(|size| wanted(*size)).map(Expr::Symbol)
    };
    let Some((shape, _)) = buffer.ty().shaped() else { return vec![] };
    let own = buffer.defining_op().and_then(|op| BufferView::of(op).ok());
    let mut dynamic = own.iter().flat_map(|view| {
        view.dynamic_dims.iter().map(|dim| {
            let sizes: Option<Vec<Expr>> =
                view.sizes.iter().map(|size| symbol(&|other| other == *size)).collect();
            Some(dim.substitute(&Expr::Dim, &|i| {
                sizes.as_ref().map_or(Expr::Symbol(i), |s| s[i].clone())
            }))
            .filter(|_| sizes.is_some())
        })
    });
    let dim = |(i, dim): (usize, &Option<i64>)| match (dim, &own) {
        (Some(size), _) => Some(Expr::Constant(*size)),
        (None, Some(_)) => dynamic.next().flatten(),
        (None, None) => symbol(&|size| dimension(size) == Some((buffer, i))),
    };
    let dims: Vec<Option<Expr>> = shape.iter().enumerate().map(dim).collect();
    match own.filter(BufferView::is_padded) {
        None => dims,
        // The size of the outermost dimension does not matter.
        Some(view) => {
            let known: Vec<Expr> =
                dims.iter().map(|dim| dim.clone().unwrap_or(Expr::Constant(1))).collect();
            let is_known = dims.iter().skip(1).all(Option::is_some);
            let allocated = view.room().allocated(&known).into_iter();
            allocated.map(|dim| Some(dim).filter(|_| is_known)).collect()
        }
    }
}

/// An expression over the iters of a block as one over the loops around it, where [`Expr::Dim`] i is loop i. `None` if
/// it depends on anything else.
fn over_loops<'c>(block: &ScheduleBlock<'c>, loops: &[For<'c>], expr: &Expr) -> Option<Expr> {
    let outer = parents(block.op).find_map(|op| ScheduleBlock::of(op).ok());
    let of_value = |value: Value<'c>| {
        if let Some(i) = loops.iter().position(|this| this.variable() == value) {
            return Some(Expr::Dim(i));
        }
        let outer = outer.as_ref()?;
        let iter = outer.iters.iter().position(|iter| iter.variable == value)?;
        over_loops(outer, loops, &Expr::Dim(iter))
    };
    let values: Vec<Option<Expr>> = block.binds.iter().map(|value| of_value(*value)).collect();
    let mut is_known = true;
    let mut over = |expr: &Expr| {
        let leaf = |i: usize| values[i].clone();
        expr.visit_leaves(&mut |it| {
            is_known &= !matches!(it, Expr::Dim(i) if values[*i].is_none());
        });
        expr.substitute(&|i| leaf(i).unwrap_or(Expr::Constant(0)), &Expr::Symbol)
    };
    let iters: Vec<Expr> = block.binding.iter().map(&mut over).collect();
    let result = expr.substitute(&|i| iters[i].clone(), &Expr::Symbol);
    is_known.then(|| result.simplified())
}
