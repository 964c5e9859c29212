//! Optimisation passes: input and output have the same form. One file per pass.
//!
//! A pass on the loop dialect has one of four [kinds](kind) and a row in the [table]. The other passes work on the IR
//! that loops are lowered to.

pub mod cuda;
pub mod kind;
pub(crate) mod r#loop;
pub mod table;
pub(crate) mod vector;
