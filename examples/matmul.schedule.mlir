// 4 x 64 tiles of the result, which stay in registers during the reduction.
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op) {
    %f = transform.sched.function @main in %module version 1
    transform.sched.split "matmul:i" in %f factors [-1, 4]
    transform.sched.split "matmul:j" in %f factors [-1, 64]
    transform.sched.reorder ["matmul:j.0", "matmul:i.0", "matmul:k", "matmul:i.1", "matmul:j.1"] in %f
    transform.sched.vectorize "matmul:j.1" in %f
    transform.sched.unroll "matmul:i.1" in %f
    transform.sched.parallel "matmul:j.0" in %f
    transform.yield
  }
}
