//! `loop-print-axes`: the axes of the nests of a function as text.
//!
//! ```text
//! axes @matmul "C"
//!   axis  size            type         from  pair  tail   loops
//!   z0    128             original                        C:vi spatial
//!   z0B   4               block_outer  z0    z0b          i.0 parallel
//!   order [z0B, z1, z0b]
//!   node "C": axis [z0B, z1, z0b], loop_axis z1
//!     "C": vectorized_axis [z0B, z0b], vectorized_stride [256, 8]
//! ```

use super::AxisId;
use super::nest::NestAxes;
use crate::dialect::block_axes::BlockAxes;
use crate::dialect::loop_op::{ScheduleBlock, buffer_name};
use crate::dialect::region::{describe_expr_with, dimension};
use crate::ir::affine::Expr;
use crate::ir::{Error, Op, Value, functions};
use crate::nest::rewriter::Direct;
use crate::nest::state::State;
use crate::nest::summary::{NodeId, Summary};
use loopwright_runtime::stderr;
use std::fmt::Write;

/// Prints the axes of each nest of the functions of a module to stderr.
///
/// # Errors
/// If an op of the loop dialect is not valid; nothing is printed then.
pub fn print(module: Op) -> Result<(), Error> {
    let texts: Result<Vec<String>, Error> = functions(module).into_iter().map(text).collect();
    stderr::print(format_args!("{}", texts?.concat()));
    Ok(())
}

/// The nodes of a function that hold schedule blocks.
pub(super) fn nests(summary: &Summary) -> Vec<NodeId> {
    let children = &summary.nodes[NodeId::FUNCTION].children;
    children.iter().copied().filter(|node| !summary.leaves(*node).is_empty()).collect()
}

fn text(function: Op) -> Result<String, Error> {
    let state = State::new(function, Box::new(Direct))?;
    let summary = state.summary();
    let mut text = String::new();
    for nest in nests(summary) {
        let leaves = summary.leaves(nest);
        let name = |leaf: &NodeId| format!("\"{}\"", summary.name(*leaf));
        let names: Vec<String> = leaves.iter().map(name).collect();
        let _ = write!(text, "axes @{} {}", summary.function, names.join(", "));
        match NestAxes::of(summary, nest) {
            Err(why) => {
                let _ = writeln!(text, ": none, because {why}");
            }
            Ok(axes) => {
                text += "\n";
                axes.write(&state, &leaves, &mut text)?;
            }
        }
    }
    Ok(text)
}

impl NestAxes {
    fn write<'c>(
        &self,
        state: &State<'c>,
        leaves: &[NodeId],
        text: &mut String,
    ) -> Result<(), Error<'c>> {
        let summary = state.summary();
        let name = |axis: &AxisId| self.graph.axis(*axis).name.clone();
        let mut rows =
            vec![["axis", "size", "type", "from", "pair", "tail", "loops"].map(str::to_owned)];
        for (id, axis) in self.graph.axes() {
            let tail = self.graph.split_of(id).and_then(|(_, _, tail)| tail);
            let from: Vec<String> = axis.from.iter().map(name).collect();
            rows.push([
                axis.name.clone(),
                size_text(summary, &axis.size),
                axis.ty.to_string(),
                from.join(" "),
                axis.split_pair.as_ref().map(name).unwrap_or_default(),
                tail.map(|tail| tail.to_string()).unwrap_or_default(),
                self.what_runs(summary, id),
            ]);
        }
        write_table(&rows, text);
        let _ = writeln!(text, "  order {}", self.graph.names(self.graph.order()));
        for leaf in leaves {
            let block = ScheduleBlock::of(state.op(*leaf))?;
            self.write_node(state, *leaf, &block, text);
        }
        Ok(())
    }

    /// The iter that an original axis is, and the loops of an axis with their kinds.
    fn what_runs(&self, summary: &Summary, axis: AxisId) -> String {
        let original = self.originals.get(axis.as_u32() as usize);
        let original = original.map(|it| format!("{} {}", it.name, it.role));
        let loops = self.loops.iter().filter(|(_, of)| *of == axis).map(|(node, _)| {
            let this = summary.as_loop(*node).expect("a loop");
            let kind = this.thread.map_or(this.kind.to_string(), |thread| thread.to_string());
            format!("{} {kind}", this.name)
        });
        original.into_iter().chain(loops).collect::<Vec<_>>().join(", ")
    }

    fn write_node<'c>(
        &self,
        state: &State<'c>,
        leaf: NodeId,
        block: &ScheduleBlock<'c>,
        text: &mut String,
    ) {
        let summary = state.summary();
        let mut around: Vec<NodeId> = summary.loops_around(leaf).collect();
        around.reverse();
        let axis_of = |i: usize| {
            let of_loop = self.loops.iter().find(|(node, _)| *node == around[i]);
            // A loop that no iter of the nest depends on has no axis.
            of_loop.map_or_else(
                || summary.name(around[i]),
                |(_, axis)| self.graph.axis(*axis).name.clone(),
            )
        };
        let list = |all: &mut dyn Iterator<Item = String>| all.collect::<Vec<_>>().join(", ");
        let stated = BlockAxes::of(block);
        let all = list(&mut (0..around.len()).map(axis_of));
        let _ = write!(text, "  node \"{}\": axis [{all}]", block.name);
        if let Some(last) = stated.loops.checked_sub(1) {
            let _ = write!(text, ", loop_axis {}", axis_of(last));
        }
        text.push('\n');
        for output in &stated.outputs {
            let axes = list(&mut output.vectorized.iter().map(|(i, _)| axis_of(*i)));
            let stride = |(_, stride): &(usize, Option<Expr>)| match stride {
                None => "*".to_owned(),
                Some(stride) => describe_expr_with(stride, &|leaf| match leaf {
                    Expr::Symbol(size) => value_name(block.sizes[*size]),
                    other => format!("{other:?}"),
                }),
            };
            let strides = list(&mut output.vectorized.iter().map(stride));
            let _ = writeln!(
                text,
                "    \"{}\": vectorized_axis [{axes}], vectorized_stride [{strides}]",
                buffer_name(output.buffer)
            );
        }
    }
}

/// A size of a function as text.
pub(crate) fn size_text(summary: &Summary, size: &Expr) -> String {
    describe_expr_with(size, &|leaf| match leaf {
        Expr::Symbol(size) => summary.size_names[*size].clone(),
        other => format!("{other:?}"),
    })
}

fn value_name(size: Value) -> String {
    match dimension(size) {
        Some((buffer, dim)) => format!("dim({}, {dim})", buffer_name(buffer)),
        None => buffer_name(size),
    }
}

/// Rows of columns that are aligned on the left.
fn write_table<const N: usize>(rows: &[[String; N]], text: &mut String) {
    let width = |column: usize| rows.iter().map(|row| row[column].len()).max().unwrap_or(0);
    for row in rows {
        let cells = row.iter().enumerate().map(|(i, cell)| format!("  {cell:<0$}", width(i)));
        text.push_str(cells.collect::<String>().trim_end());
        text.push('\n');
    }
}
