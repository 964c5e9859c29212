//! Rewrites that several primitives share: each takes a plan that a check has made, and edits the IR.
//!
//! | module | rewrite |
//! |---|---|
//! | [`copy`] | insert a nest that copies a box of one buffer to another |
//! | [`layout`] | change the layout of a buffer by an index map |
//! | [`pipelining`] | run statements of a loop on different iterations at once |
//! | [`guard`] | do a step only for sizes for which it is legal, behind a condition on sizes |

pub(crate) mod copy;
pub(crate) mod guard;
pub(crate) mod layout;
pub mod pipelining;
pub(crate) mod virtual_threads;
