// Inlines two of the three schedule blocks into the third, and runs its rows in parallel.
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op) {
    %f = transform.sched.function @main in %module version 1
    transform.sched.compute_inline "sub" in %f
    transform.sched.compute_inline "exp" in %f
    transform.sched.parallel "reduce_add:i" in %f
    transform.yield
  }
}
