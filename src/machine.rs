//! Machine models: the capabilities that schedules, lowering and code generation depend on.

pub mod cuda;
pub mod intrinsic;
pub mod table;
pub mod x86;
