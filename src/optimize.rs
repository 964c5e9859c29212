//! Optimisation passes: input and output have the same form. One file per pass.
//!
//! A pass on the loop dialect has one of four [kinds](kind) and a row in the [table]. The other passes work on the IR
//! that loops are lowered to.

pub mod bound_dynamic_buffers;
pub mod compact_buffers;
pub mod double_buffer;
pub mod eliminate_common_factor_of_local_index;
pub mod eliminate_common_global_memory_read;
pub mod eliminate_invariant_loop;
pub mod entail_loop_condition;
pub mod extern_call_process;
pub mod form_fma;
pub mod if_fold;
pub mod if_fusion;
pub mod ir_simplify;
pub mod kind;
pub mod loop_partition;
pub mod lower_vthread;
pub mod merge_shared_memory;
pub mod plan_allocation_location;
pub mod promote_buffers;
pub mod rearrange_load_instruction;
pub mod reduce_by_lanes;
pub mod replace_cross_block_reduction;
pub mod replace_cross_thread_reduction;
pub mod rewrite_unsafe_select;
pub mod schedule_block_dce;
pub mod skip_carried_barriers;
pub mod software_pipeline;
pub mod storage_plan;
pub mod storage_rewrite;
pub mod swizzle_shared_buffers;
pub mod table;
pub mod thread_sync;
pub mod transpose_in_registers;
pub mod workgroup_buffers;
