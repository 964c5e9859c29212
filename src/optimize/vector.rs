//! Passes on vector form: registers, lanes and fused multiply-add.

pub(crate) mod form_fma;
pub(crate) mod multiply_by_reciprocal;
pub(crate) mod promote_buffers;
pub(crate) mod rearrange_load_instruction;
pub(crate) mod reduce_by_lanes;
pub(crate) mod simplify_maxnum;
pub(crate) mod transpose_in_registers;
pub(crate) mod unswitch_loops;
