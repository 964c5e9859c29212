// Tiles of a matrix product: virtual threads inside of the reduction, whose sums start before them.
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op) {
    %f = transform.sched.function @main in %module version 1
    transform.sched.cache_write "matmul" in %f buffer "out" scope "global"
    transform.sched.split "out_global_temp_buffer:i" in %f factors [-1, 4, 2, 2]
    transform.sched.split "out_global_temp_buffer:j" in %f factors [-1, 4, 2, 2]
    transform.sched.split "out_global_temp_buffer:k" in %f factors [-1, 8]
    transform.sched.reorder ["out_global_temp_buffer:i.0", "out_global_temp_buffer:j.0", "out_global_temp_buffer:i.1", "out_global_temp_buffer:j.1", "out_global_temp_buffer:k.0", "out_global_temp_buffer:i.2", "out_global_temp_buffer:j.2", "out_global_temp_buffer:k.1", "out_global_temp_buffer:i.3", "out_global_temp_buffer:j.3"] in %f
    transform.sched.reverse_compute_at "matmul" in %f loop "out_global_temp_buffer:j.1"
    transform.sched.decompose_reduction "out_global_temp_buffer" in %f loop "out_global_temp_buffer:k.0"
    transform.sched.bind "out_global_temp_buffer:i.0" in %f thread "blockIdx.y"
    transform.sched.bind "out_global_temp_buffer:j.0" in %f thread "blockIdx.x"
    transform.sched.bind "out_global_temp_buffer:i.1" in %f thread "threadIdx.y"
    transform.sched.bind "out_global_temp_buffer:j.1" in %f thread "threadIdx.x"
    transform.sched.bind "out_global_temp_buffer:i.2" in %f thread "vthread"
    transform.sched.bind "out_global_temp_buffer:j.2" in %f thread "vthread"
    transform.sched.set_scope "out_global_temp_buffer" in %f scope "local"
    transform.yield
  }
}
