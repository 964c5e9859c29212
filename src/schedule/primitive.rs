//! Schedule primitives: one file each, with `check -> Plan -> rewrite`.

pub mod add_unit_loop;
pub mod annotate;
pub mod atomic;
pub mod bind;
pub mod blockize;
pub mod cache_inplace;
pub mod cache_read;
pub mod cache_write;
pub mod compute_at;
pub mod compute_inline;
pub mod decompose_padding;
pub mod decompose_reduction;
pub mod double_buffer;
pub mod fission;
pub mod fold_storage;
pub mod fuse;
pub mod join;
pub mod loop_partition;
pub mod merge;
pub mod pad_einsum;
pub mod parallel;
pub mod prefetch;
pub mod query;
pub mod reindex;
pub mod remove_loop;
pub mod reorder;
pub mod reorder_block_iter_var;
pub mod reorder_statements;
pub mod reverse_compute_at;
pub mod reverse_compute_inline;
pub mod rfactor;
pub mod rolling_buffer;
pub mod sample_categorical;
pub mod sample_compute_location;
pub mod sample_perfect_tile;
pub mod set_scope;
pub mod shift;
pub mod simple_compute_at;
pub mod software_pipeline;
pub mod specialize;
pub mod split;
pub mod storage_align;
pub mod sync_threads;
pub mod tensorize;
pub mod tile;
pub mod transform_block_layout;
pub mod transform_layout;
pub mod unannotate;
pub mod unroll;
pub mod unroll_and_jam;
pub mod vectorize;

use super::error::{Reason, ScheduleError};
use super::name;
use super::summary::{Loop, NodeId, Summary};
use crate::dialect::loop_enums::LoopKind;
use crate::ir::affine::{BinaryKind, Expr, Linear};

/// The loop at a node, which must be serial: (C`condition`).
fn serial(summary: &Summary, node: NodeId, condition: u8) -> Result<&Loop, ScheduleError> {
    let this = summary.as_loop(node).expect("a loop");
    match this.kind {
        LoopKind::Serial => Ok(this),
        kind => Err(Reason::NotSerial { name: this.name.clone(), kind }.at(node, condition)),
    }
}

/// Two or more different loops: (C1).
fn several(summary: &Summary, names: &[String]) -> Result<Vec<NodeId>, ScheduleError> {
    let nodes = name::loops_of(summary, names)?;
    if nodes.len() < 2 {
        return Err(Reason::FewLoops(nodes.len()).at(nodes.first().copied().unwrap_or(0), 1));
    }
    if let Some(i) = (1..nodes.len()).find(|i| nodes[..*i].contains(&nodes[*i])) {
        let name = summary.as_loop(nodes[i]).expect("a loop").name.clone();
        return Err(Reason::Repeated(name).at(nodes[i], 1));
    }
    Ok(nodes)
}

/// True if an expression in normal form is never negative. Variables and sizes are never negative.
fn never_negative(expr: &Expr) -> bool {
    match expr {
        Expr::Constant(value) => *value >= 0,
        Expr::Binary(BinaryKind::Mod, ..) => true,
        Expr::Binary(_, left, right) => never_negative(left) && never_negative(right),
        _ => true,
    }
}

/// True if an expression is never below a constant. Variables and sizes are never negative.
fn never_below(expr: &Expr, least: i64) -> bool {
    let linear = Linear::of(expr);
    let rest = Linear { constant: 0, ..linear.clone() };
    linear.constant >= least && never_negative(&rest.to_expr())
}

/// Requires a loop without annotations, because they would be removed with it: (C`condition`).
fn not_annotated(this: &Loop, node: NodeId, condition: u8) -> Result<(), ScheduleError> {
    match this.annotations.first() {
        Some(key) => {
            let (name, key) = (this.name.clone(), key.clone());
            Err(Reason::Annotated { name, key }.at(node, condition))
        }
        None => Ok(()),
    }
}
