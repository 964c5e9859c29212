// RUN: lw-opt %s -verify-diagnostics
// An op with such a value, which no step can create, does not verify.

module attributes {transform.with_named_sequence} {
  func.func @value() {
    loop.for serial %i in 8 {
      loop.block "B" [%v: spatial 8] = (%i) {}
    }
    return
  }
  transform.named_sequence @__transform_main(%f: !transform.any_op) {
    // expected-error @+1 {{attribute 'value' failed to satisfy constraint: string attribute or bool attribute or 64-bit signless integer attribute}}
    transform.sched.annotate "B" in %f key "k" value 1.0
    transform.yield
  }
}
