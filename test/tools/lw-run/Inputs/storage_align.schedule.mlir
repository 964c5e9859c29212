module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op) {
    %f = transform.sched.function @main in %module version 1
    transform.sched.split "transpose:i" in %f factors [-1, 32]
    transform.sched.split "transpose:j" in %f factors [-1, 32]
    transform.sched.reorder ["transpose:i.0", "transpose:j.0", "transpose:i.1", "transpose:j.1"] in %f
    transform.sched.cache_read "transpose" in %f buffer "arg0" scope "global"
    transform.sched.compute_at "arg0_global_temp_buffer" in %f loop "transpose:j.0"
    transform.sched.set_scope "arg0_global_temp_buffer" in %f scope "shared"
    transform.sched.storage_align "arg0_global_temp_buffer" in %f axis 0 factor 32 offset 1
    transform.sched.bind "transpose:i.0" in %f thread "blockIdx.y"
    transform.sched.bind "transpose:j.0" in %f thread "blockIdx.x"
    transform.sched.split "transpose:i.1" in %f factors [4, 8]
    transform.sched.split "arg0_global_temp_buffer:cache_ax0" in %f factors [4, 8]
    transform.sched.sync_threads "arg0_global_temp_buffer:cache_ax0.0" in %f
    transform.sched.sync_threads "transpose:i.1.0" in %f
    transform.sched.bind "arg0_global_temp_buffer:cache_ax0.1" in %f thread "threadIdx.y"
    transform.sched.bind "arg0_global_temp_buffer:cache_ax1" in %f thread "threadIdx.x"
    transform.sched.bind "transpose:i.1.1" in %f thread "threadIdx.y"
    transform.sched.bind "transpose:j.1" in %f thread "threadIdx.x"
    transform.yield
  }
}
