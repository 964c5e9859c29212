//! Automatic scheduling.
//!
//! [`axis`] is the model in which schedules are stated and compared: which axes a nest has, and which axes each of them
//! was split from or merged from. [`hint_graph`] has the blocks of a function before they are scheduled, over one list of
//! axes.
//!
//! Must not depend on: how loops become code.

pub mod axis;
pub mod hint_graph;
