//! What machines can do, as far as schedules, lowering and code generation must know.

pub mod cuda;
pub mod intrinsic;
pub mod x86;
