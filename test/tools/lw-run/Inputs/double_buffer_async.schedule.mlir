module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op) {
    %f = transform.sched.function @main in %module version 1
    transform.sched.cache_write "matmul" in %f buffer "out" scope "global"
    transform.sched.split "out_global_temp_buffer:i" in %f factors [-1, 128]
    transform.sched.split "out_global_temp_buffer:j" in %f factors [-1, 128]
    transform.sched.split "out_global_temp_buffer:k" in %f factors [-1, 16]
    transform.sched.reorder ["out_global_temp_buffer:i.0", "out_global_temp_buffer:j.0", "out_global_temp_buffer:k.0", "out_global_temp_buffer:i.1", "out_global_temp_buffer:j.1", "out_global_temp_buffer:k.1"] in %f
    transform.sched.reverse_compute_at "matmul" in %f loop "out_global_temp_buffer:j.0"
    transform.sched.cache_read "out_global_temp_buffer" in %f buffer "arg0" scope "global"
    transform.sched.cache_read "out_global_temp_buffer" in %f buffer "arg1" scope "global"
    transform.sched.compute_at "arg0_global_temp_buffer" in %f loop "out_global_temp_buffer:k.0"
    transform.sched.compute_at "arg1_global_temp_buffer" in %f loop "out_global_temp_buffer:k.0"
    transform.sched.set_scope "arg0_global_temp_buffer" in %f scope "shared"
    transform.sched.set_scope "arg1_global_temp_buffer" in %f scope "shared"
    transform.sched.split "out_global_temp_buffer:i.1" in %f factors [16, 8]
    transform.sched.split "out_global_temp_buffer:j.1" in %f factors [16, 8]
    transform.sched.reorder ["out_global_temp_buffer:i.1.0", "out_global_temp_buffer:j.1.0", "out_global_temp_buffer:k.1", "out_global_temp_buffer:i.1.1", "out_global_temp_buffer:j.1.1"] in %f
    transform.sched.set_scope "out_global_temp_buffer" in %f scope "shared"
    transform.sched.decompose_reduction "out_global_temp_buffer" in %f loop "out_global_temp_buffer:k.0"
    transform.sched.fuse ["arg0_global_temp_buffer:cache_ax0", "arg0_global_temp_buffer:cache_ax1"] in %f
    transform.sched.split "arg0_global_temp_buffer:cache_ax0_cache_ax1_fused" in %f factors [-1, 16, 16, 4]
    transform.sched.vectorize "arg0_global_temp_buffer:cache_ax0_cache_ax1_fused.3" in %f
    transform.sched.annotate "arg0_global_temp_buffer" in %f key "async_copy" value true
    transform.sched.fuse ["arg1_global_temp_buffer:cache_ax0", "arg1_global_temp_buffer:cache_ax1"] in %f
    transform.sched.split "arg1_global_temp_buffer:cache_ax0_cache_ax1_fused" in %f factors [-1, 16, 16, 4]
    transform.sched.vectorize "arg1_global_temp_buffer:cache_ax0_cache_ax1_fused.3" in %f
    transform.sched.annotate "arg1_global_temp_buffer" in %f key "async_copy" value true
    transform.sched.bind "out_global_temp_buffer:i.0" in %f thread "blockIdx.y"
    transform.sched.bind "out_global_temp_buffer:j.0" in %f thread "blockIdx.x"
    transform.sched.split "matmul:cache_ax0" in %f factors [16, 8]
    transform.sched.split "matmul:cache_ax1" in %f factors [16, 8]
    transform.sched.reorder ["matmul:cache_ax0.0", "matmul:cache_ax1.0", "matmul:cache_ax0.1", "matmul:cache_ax1.1"] in %f
    transform.sched.vectorize "matmul:cache_ax1.1" in %f
    transform.sched.vectorize "out_global_temp_buffer:j.1.1" in %f
    transform.sched.unroll "out_global_temp_buffer:i.1.1" in %f
    transform.sched.sync_threads "out_global_temp_buffer:i.1.0" in %f
    transform.sched.sync_threads "out_global_temp_buffer:k.0" in %f
    transform.sched.sync_threads "arg0_global_temp_buffer:cache_ax0_cache_ax1_fused.0" in %f
    transform.sched.sync_threads "matmul:cache_ax0.0" in %f
    transform.sched.bind "arg0_global_temp_buffer:cache_ax0_cache_ax1_fused.1" in %f thread "threadIdx.y"
    transform.sched.bind "arg0_global_temp_buffer:cache_ax0_cache_ax1_fused.2" in %f thread "threadIdx.x"
    transform.sched.bind "arg1_global_temp_buffer:cache_ax0_cache_ax1_fused.1" in %f thread "threadIdx.y"
    transform.sched.bind "arg1_global_temp_buffer:cache_ax0_cache_ax1_fused.2" in %f thread "threadIdx.x"
    transform.sched.bind "out_global_temp_buffer:i.1.0" in %f thread "threadIdx.y"
    transform.sched.bind "out_global_temp_buffer:j.1.0" in %f thread "threadIdx.x"
    transform.sched.bind "out_global_temp_buffer__reduce_init:i.1.0" in %f thread "threadIdx.y"
    transform.sched.bind "out_global_temp_buffer__reduce_init:j.1.0" in %f thread "threadIdx.x"
    transform.sched.bind "matmul:cache_ax0.0" in %f thread "threadIdx.y"
    transform.sched.bind "matmul:cache_ax1.0" in %f thread "threadIdx.x"
    transform.sched.double_buffer "arg0_global_temp_buffer" in %f copies 3 with ["arg1_global_temp_buffer"]
    transform.sched.set_scope "out_global_temp_buffer" in %f scope "local"
    transform.yield
  }
}
