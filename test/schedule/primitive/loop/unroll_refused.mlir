// RUN: lw-opt %s -split-input-file -verify-diagnostics --transform-interpreter

module attributes {transform.with_named_sequence} {
  func.func @unroll_c1_no_loop() {
    loop.for serial %i in 4 {
      // expected-error @+1 {{unroll: there is no loop "k" around schedule block "B", there are "i" (C1)}}
      loop.block "B" [%v: spatial 4] = (%i) {}
    }
    return
  }
  transform.named_sequence @__transform_main(%f: !transform.any_op) {
    // expected-note @+1 {{in this step of the script}}
    transform.sched.unroll "B:k" in %f
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  func.func @unroll_c2_twice() {
    // expected-error @+1 {{unroll: loop "i" is vectorize, expected serial (C2)}}
    loop.for vectorize %i in 4 {
      loop.block "B" [%v: spatial 4] = (%i) {}
    }
    return
  }
  transform.named_sequence @__transform_main(%f: !transform.any_op) {
    // expected-note @+1 {{in this step of the script}}
    transform.sched.unroll "B:i" in %f
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  func.func @unroll_c3_dynamic(%n: index) {
    // expected-error @+1 {{unroll: loop "i" has no constant extent (C3)}}
    loop.for serial %i in %n {
      loop.block "B" [%v: spatial %n] = (%i) {}
    }
    return
  }
  transform.named_sequence @__transform_main(%f: !transform.any_op) {
    // expected-note @+1 {{in this step of the script}}
    transform.sched.unroll "B:i" in %f
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  func.func @unroll_c3_half_known_minimum(%n: index) {
    // expected-error @+1 {{unroll: loop "i" has no constant extent (C3)}}
    loop.for serial %i in min affine_map<()[s0] -> (s0, 4)>()[%n] {
      loop.block "B" [%v: spatial %n] = (%i) {}
    }
    return
  }
  transform.named_sequence @__transform_main(%f: !transform.any_op) {
    // expected-note @+1 {{in this step of the script}}
    transform.sched.unroll "B:i" in %f
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  func.func @unroll_c2_twice() {
    // expected-error @+1 {{unroll: loop "i" is unroll, expected serial (C2)}}
    loop.for unroll %i in 30 { loop.block "B" [%v: spatial 30] = (%i) {} }
    return
  }
  transform.named_sequence @__transform_main(%f: !transform.any_op) {
    // expected-note @+1 {{in this step of the script}}
    transform.sched.unroll "B:i" in %f
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  func.func @unroll_c3_one_at_a_time() {
    // expected-error @+1 {{unroll: would have no effect (C3)}}
    loop.for serial %i in 30 { loop.block "B" [%v: spatial 30] = (%i) {} }
    return
  }
  transform.named_sequence @__transform_main(%f: !transform.any_op) {
    // expected-note @+1 {{in this step of the script}}
    transform.sched.unroll "B:i" in %f factor 1
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  func.func @unroll_c4_name() {
    loop.for serial %i in 30 {
      // expected-error @+1 {{unroll: there would be two nested loops named "i.1" (C4)}}
      loop.for serial %i.1 in 2 { loop.block "B" [%v: spatial 30] = (%i) {} }
    }
    return
  }
  transform.named_sequence @__transform_main(%f: !transform.any_op) {
    // expected-note @+1 {{in this step of the script}}
    transform.sched.unroll "B:i" in %f factor 4
    transform.yield
  }
}
