module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op) {
    %f = transform.sched.function @main in %module version 1
    transform.sched.split "T:j" in %f factors [-1, 4] tail "shift_inwards"
    transform.sched.reorder ["T:j.1", "T:k"] in %f
    transform.sched.vectorize "C:j" in %f
    transform.yield
  }
}
