// Thread blocks of 16 x 16 threads, each of which computes a 4 x 4 tile of the result in registers.
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op) {
    %f = transform.sched.function @main in %module version 1
    transform.sched.split "matmul:i" in %f factors [-1, 16, 4]
    transform.sched.split "matmul:j" in %f factors [-1, 16, 4]
    transform.sched.reorder ["matmul:i.0", "matmul:j.0", "matmul:i.1", "matmul:j.1", "matmul:k", "matmul:i.2", "matmul:j.2"] in %f
    transform.sched.bind "matmul:i.0" in %f thread "blockIdx.y"
    transform.sched.bind "matmul:j.0" in %f thread "blockIdx.x"
    transform.sched.bind "matmul:i.1" in %f thread "threadIdx.y"
    transform.sched.bind "matmul:j.1" in %f thread "threadIdx.x"
    transform.sched.unroll "matmul:i.2" in %f
    transform.sched.vectorize "matmul:j.2" in %f
    transform.yield
  }
}
