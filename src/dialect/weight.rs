//! Weights: the attributes by which passes, the linker and strategies know the constants of a model and what is computed
//! from them.

/// On a `memref.global`: its bytes are given when the code is linked.
pub const WEIGHT: &str = "loop.weight";

/// On a `memref.global` without a value: the function of transforms computes it from weights.
pub const LIFTED: &str = "loop.transformed_weight";

/// On a `memref.get_global`, and on an argument of a fusion group that is such a value in each call: nests that compute from this
/// weight alone are lifted to the function of transforms. So they cost no time in a call.
pub const IS_LIFTED: &str = "loop.transforms_are_lifted";

/// On the function that computes all transformed weights.
pub const TRANSFORMS: &str = "loop.transforms_weights";

/// The symbol by which code refers to a weight that only the function of transforms reads, at any address: such a weight is
/// not copied to be aligned.
pub fn unaligned_symbol(name: &str) -> String {
    format!("{name}.unaligned")
}

pub use crate::ffi::TRANSFORM;
