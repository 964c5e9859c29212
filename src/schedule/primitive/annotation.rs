//! Primitives that change no computation: annotations, and questions about a nest.

pub mod annotate;
pub mod query;
pub mod unannotate;
