//! Lowering of math functions and of small floats to arith and vector ops, for every target.

pub(crate) mod approximate_math;
pub(crate) mod bf16_as_bits;
pub(crate) mod expand_math;
pub(crate) mod expand_small_floats;
pub(crate) mod math_to_nvptx;
