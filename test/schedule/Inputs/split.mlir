module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op) {
    %f = transform.sched.function @matmul in %module version 1
    transform.sched.split "C:j" in %f factors [4, 16]
    transform.sched.reorder ["C:k", "C:j.1"] in %f
    transform.yield
  }
}
