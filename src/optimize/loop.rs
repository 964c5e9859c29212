//! Passes on the loop dialect that are for every target.

pub(crate) mod bound_dynamic_buffers;
pub(crate) mod collapse_dimensions;
pub(crate) mod compact_buffers;
pub(crate) mod double_buffer;
pub(crate) mod eliminate_common_factor_of_local_index;
pub(crate) mod eliminate_common_global_memory_read;
pub(crate) mod eliminate_invariant_loop;
pub(crate) mod entail_loop_condition;
pub(crate) mod extern_call_process;
pub(crate) mod if_fold;
pub(crate) mod if_fusion;
pub(crate) mod inline_fusion_groups;
pub(crate) mod ir_simplify;
pub(crate) mod lift_weight_transforms;
pub(crate) mod loop_partition;
pub(crate) mod outline_nests;
pub(crate) mod plan_allocation_location;
pub(crate) mod rewrite_unsafe_select;
pub(crate) mod schedule_block_dce;
pub(crate) mod software_pipeline;
pub(crate) mod storage_plan;
pub(crate) mod storage_rewrite;
