//! `loop-infer-axes`: derive the axes of scheduled nests, and record them on loops and schedule blocks.
//!
//! ```text
//! loop.for parallel %a in 4 { loop.for serial %b in 8 { loop.block "C" [%vi: spatial 32] = (%a * 8 + %b) .. } }
//!   ->  loop.for parallel %a in 4 axis(block_outer from "i" pair "b") {
//!         loop.for serial %b in 8 axis(block_inner from "i" pair "a") { loop.block "C" .. attributes {loop.axes = ..} } }
//! ```
//! *Axes* state how the loops of a nest were made from the iters of its schedule blocks, by splits, merges and a
//! reordering. If the axis of a loop was made from others, the loop gets the attribute `axis`: the type of its axis, the
//! axes from which it was made (`from`), and, for a split, the axis of the other part (`pair`). The types are:
//! - `block_outer`, `block_inner`: the parts of a split whose outer part runs on cores or thread blocks;
//! - `tile_outer`, `tile_inner`: the parts of every other split;
//! - `merged`: several axes that were merged;
//! - `tail`: the remainder of a split, as a loop of its own.
//!
//! An axis has the name of its loop. If it has no loop, it has the name that primitives give: `i.0` and `i.1` for the
//! parts of a split, `i_j_fused` for merged axes. A schedule block gets the attribute `loop.axes`. If the bindings of a
//! nest are not splits and merges of loops, the nest is unchanged, and there is a warning.

use super::AxisId;
use super::loop_print_axes::nests;
use super::nest::NestAxes;
use crate::dialect::block_axes;
use crate::dialect::loop_enums::AxisType;
use crate::dialect::loop_op::{AxisOrigin, For};
use crate::dialect::verify_loop::is_name;
use crate::ir::{Error, Op, warning};
use crate::nest::derived_name;
use crate::nest::rewriter::Direct;
use crate::nest::state::State;
use crate::nest::summary::Summary;

/// States the axes of the nests of a function.
///
/// # Errors
/// If an op of the loop dialect is not valid.
pub fn infer(function: Op) -> Result<(), Error> {
    let state = State::new(function, Box::new(Direct))?;
    let summary = state.summary();
    for nest in nests(summary) {
        let axes = match NestAxes::of(summary, nest) {
            Ok(axes) => axes,
            Err(why) => {
                warning(state.op(nest).location(), &format!("the nest has no axes: {why}"));
                continue;
            }
        };
        for (node, axis) in &axes.loops {
            For::set_axis(state.op(*node), axes.origin(summary, *axis).as_ref());
        }
        let leaves: Vec<Op> = summary.leaves(nest).into_iter().map(|leaf| state.op(leaf)).collect();
        block_axes::state(function, &leaves)?;
    }
    Ok(())
}

impl NestAxes {
    /// What the loop of an axis states; `None` for an original axis.
    fn origin(&self, summary: &Summary, axis: AxisId) -> Option<AxisOrigin> {
        let this = self.graph.axis(axis);
        (this.ty != AxisType::Original).then(|| AxisOrigin {
            ty: this.ty,
            from: this.from.iter().map(|from| self.label(summary, *from)).collect(),
            pair: this.split_pair.map(|pair| self.label(summary, pair)),
        })
    }

    /// The name of an axis, as primitives name loops.
    pub(super) fn label(&self, summary: &Summary, axis: AxisId) -> String {
        if let Some((node, _)) = self.loops.iter().find(|(_, of)| *of == axis) {
            return summary.as_loop(*node).expect("a loop").name.clone();
        }
        let this = self.graph.axis(axis);
        let inner = this.split_pair.is_some_and(|pair| pair < axis);
        match &this.from[..] {
            [] => self.original_label(summary, axis),
            [from] => derived_name::part(&self.label(summary, *from), usize::from(inner)),
            from => {
                let labels: Vec<String> =
                    from.iter().map(|from| self.label(summary, *from)).collect();
                derived_name::fused(&labels.iter().map(String::as_str).collect::<Vec<_>>())
            }
        }
    }

    /// The name that a loop of the axis states it is from, or that of the iter, without the `v` of iters.
    fn original_label(&self, summary: &Summary, axis: AxisId) -> String {
        let halves = self.loops.iter().filter(|(_, of)| self.graph.axis(*of).from[..] == [axis]);
        let mut stated = halves.filter_map(|(node, _)| {
            let from = &summary.as_loop(*node)?.axis.as_ref()?.from;
            from.first().filter(|name| from.len() == 1 && is_name(name)).cloned()
        });
        stated.next().unwrap_or_else(|| {
            let name = &self.originals[axis.as_u32() as usize].name;
            let (_, iter) = name.split_once(':').expect("block:iter");
            let without_v = iter.strip_prefix('v').filter(|rest| is_name(rest));
            without_v.unwrap_or(iter).to_owned()
        })
    }
}
