//! The functions of f64 whose algorithms differ from those of f32, which use f64 for intermediate results. Here
//! critical intermediate results are pairs of f64 ([`pair`](super::pair)).

pub mod error_function;
pub mod inverse_hyperbolic;
pub mod logarithm;
pub mod power;
pub mod trigonometric;
