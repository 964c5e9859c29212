//! Primitives that draw a decision, which later steps use by its name.

pub mod decision;
pub mod sample_categorical;
pub mod sample_compute_location;
pub mod sample_perfect_tile;
