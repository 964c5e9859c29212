//! The model of a loop nest: how code reads and edits the loops and schedule blocks of a function.
//!
//! - [`summary`] is the function as plain data, without handles to IR. Checks, costs and facts use only it.
//! - [`state`] keeps a function and its summary in step while the IR is edited.
//! - [`edit`], [`builder`], [`index_form`], [`size_order`], [`buffer_remap`], [`placement`] and
//!   [`partial_result`] change IR, through a [`rewriter`].
//! - [`facts`] are statements about a summary, for example which cells a block writes.
//! - [`render`] prints a nest in a message.
//!
//! Must not depend on: steps of schedules, verdicts, errors of schedules. A fact returns data; a check in
//! [`schedule::legality`](crate::schedule::legality) makes a refusal of it.

pub(crate) mod buffer_remap;
pub(crate) mod builder;
pub(crate) mod derived_name;
pub(crate) mod edit;
pub mod facts;
pub(crate) mod index_form;
pub(crate) mod partial_result;
pub(crate) mod placement;
pub(crate) mod render;
pub mod rewriter;
pub mod shared;
pub(crate) mod size_order;
pub(crate) mod state;
pub mod summary;
