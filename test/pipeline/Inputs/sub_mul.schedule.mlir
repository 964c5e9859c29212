// 32 thread blocks of 256 threads, one element per thread.
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op) {
    %f = transform.sched.function @main in %module version 1
    transform.sched.compute_inline "sub" in %f
    transform.sched.fuse ["mul:i", "mul:j"] in %f
    transform.sched.split "mul:i_j_fused" in %f factors [32, 256]
    transform.sched.bind "mul:i_j_fused.0" in %f thread "blockIdx.x"
    transform.sched.bind "mul:i_j_fused.1" in %f thread "threadIdx.x"
    transform.yield
  }
}
