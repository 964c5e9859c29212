//! All `unsafe` code of the crate, behind types that are safe to use.

pub(crate) mod board;
