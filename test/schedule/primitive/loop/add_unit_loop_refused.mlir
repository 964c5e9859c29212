// RUN: lw-opt %s -split-input-file -verify-diagnostics --transform-interpreter

module attributes {transform.with_named_sequence} {
  func.func @add_unit_loop_c1_no_loop() {
    loop.for serial %i in 4 {
      // expected-error @+1 {{add_unit_loop: there is no loop "j" around schedule block "A", there are "i" (C1)}}
      loop.block "A" [%v: spatial 4] = (%i) {}
    }
    return
  }
  transform.named_sequence @__transform_main(%f: !transform.any_op) {
    // expected-note @+1 {{in this step of the script}}
    transform.sched.add_unit_loop "A:j" in %f
    transform.yield
  }
}
