module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op) {
    transform.sched.rfactor "B:k0" in %module factor_axis 0
    transform.sched.decompose_reduction "rf_B" in %module loop "rf_B:j0"
    transform.sched.decompose_reduction "B" in %module loop "B:k0"
    transform.yield
  }
}
