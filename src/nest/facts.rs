//! Facts about a nest, computed from its [summary](super::summary). A fact returns data, never a refusal.
//!
//! | question | module |
//! |---|---|
//! | which values does an expression take, and which box of cells does an access touch? | [`boxes`] |
//! | does a block run all points of a box? | [`cover`] |
//! | which instances of a producer do its readers need? | [`region_cover`] |
//! | under which conditions on its iters does a block run? | [`run_condition`] |
//! | which loops own a buffer of a scope, and which elements does a block write? | [`scope`] |
//! | how do the loops of a reduction relate to its initialization? | [`reduction`] |
//! | what do the branches around a node state about sizes? | [`known_sizes`] |
//! | which loops form a cross-thread reduction? | [`cross_thread_reduction`] |
//! | may the updates of a reduction be reordered? | [`update_order`] |
//! | how far may the results of two schedules differ? | [`tolerance`] |
//! | does a read see a value of the same iteration? | [`value_flow`] |
//! | is a quotient by a size defined at a node? | [`quotient`] |
//! | how small can a buffer be in one iteration? | [`compaction`] |
//! | are two nests structurally equal? | [`structural_equality`] |
//! | has a map of iters an inverse, and which one? | [`bijection`] |

pub mod bijection;
pub(crate) mod boxes;
pub(crate) mod compaction;
pub(crate) mod cover;
pub mod cross_thread_reduction;
pub(crate) mod known_sizes;
pub(crate) mod quotient;
pub(crate) mod reduction;
pub(crate) mod region_cover;
pub(crate) mod run_condition;
pub(crate) mod scope;
pub(crate) mod structural_equality;
pub mod tolerance;
pub(crate) mod update_order;
pub(crate) mod value_flow;
