//! Lowering of math functions and of small floats to arith and vector ops, for every target.

pub mod approximate_math;
pub mod bf16_as_bits;
pub mod expand_math;
pub mod expand_small_floats;
pub mod math_to_nvptx;
