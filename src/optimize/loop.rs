//! Passes on the loop dialect that are for every target.

pub mod bound_dynamic_buffers;
pub mod compact_buffers;
pub mod double_buffer;
pub mod eliminate_common_factor_of_local_index;
pub mod eliminate_common_global_memory_read;
pub mod eliminate_invariant_loop;
pub mod entail_loop_condition;
pub mod extern_call_process;
pub mod if_fold;
pub mod if_fusion;
pub mod inline_fusion_groups;
pub mod ir_simplify;
pub mod lift_weight_transforms;
pub mod loop_partition;
pub mod outline_equal_nests;
pub mod plan_allocation_location;
pub mod rewrite_unsafe_select;
pub mod schedule_block_dce;
pub mod software_pipeline;
pub mod storage_plan;
pub mod storage_rewrite;
