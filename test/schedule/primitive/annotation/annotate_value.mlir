// RUN: lw-opt %s -verify-diagnostics
// An op that no step can be made of is not valid in the first place.

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
