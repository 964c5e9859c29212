//! All `unsafe` code of the crate.

pub mod load;
