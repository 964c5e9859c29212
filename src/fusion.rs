//! Fusion: which ops of a function on tensors are computed together. It works before there are loops, on linalg and tensor
//! ops; `convert-graph-to-linalg` comes first.
//!
//! - [`graph_fuse_ops`] forms the groups. Its head lists the rules.
//! - [`outline_fusion_groups`] makes a function of each group, and one of equal groups.
//! - [`fold_unit_loops`] removes loops of one iteration.
//! - `dataflow` has the function as plain data: which op reads which result, and how it indexes it. `kind` derives what an op
//!   computes. `entry_sizes` has the sizes of the function as values. `rules` decides about two ops, `groups` about groups, and `chain` about two products in one
//!   group. `sink` copies ops that only move elements to their readers. `form` edits the IR, and `explain` reports.
//!
//! How many kernels a group becomes is decided by schedules.

mod chain;
mod dataflow;
mod entry_sizes;
mod explain;
pub(crate) mod fold_unit_loops;
mod form;
pub(crate) mod graph_fuse_ops;
mod groups;
mod kind;
pub(crate) mod outline_fusion_groups;
mod rules;
mod sink;
