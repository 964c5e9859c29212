//! The functions of f64 whose algorithms differ from those of f32, which use f64 for intermediate results. Here
//! critical intermediate results are pairs of f64 ([`pair`](super::pair)).

pub(crate) mod error_function;
pub(crate) mod inverse_hyperbolic;
pub(crate) mod logarithm;
pub(crate) mod power;
pub(crate) mod trigonometric;
