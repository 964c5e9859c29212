//! Lowering: out of the loop dialect, to what LLVM can take.
//!
//! Must not change the order of anything, or the layout: that is what schedules are for.

pub mod loop_to_scf;
