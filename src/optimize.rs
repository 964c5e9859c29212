//! Optimisation: the same form in and out, one file a pass.
//!
//! Passes on the loop dialect are of one of four [kinds](kind); the [table] has them. The others work on what
//! loops are lowered to.

pub mod cuda;
pub mod kind;
pub mod r#loop;
pub mod table;
pub mod vector;
