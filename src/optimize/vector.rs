//! Passes on vector form: registers, lanes and fused multiply-add.

pub mod form_fma;
pub mod promote_buffers;
pub mod rearrange_load_instruction;
pub mod reduce_by_lanes;
pub mod transpose_in_registers;
