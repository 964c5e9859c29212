// RUN: lw-opt %s -split-input-file -verify-diagnostics --transform-interpreter

module attributes {transform.with_named_sequence} {
  // expected-error @+1 {{unannotate: there is no schedule block "C", there are "B" (C1)}}
  func.func @c1_no_block() {
    loop.for serial %i in 8 {
      loop.block "B" [%v: spatial 8] = (%i) {}
    }
    return
  }
  transform.named_sequence @__transform_main(%f: !transform.any_op) {
    // expected-note @+1 {{in this step of the script}}
    transform.sched.unannotate "C" in %f key "k"
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  func.func @c2_none() {
    loop.for serial %i in 8 {
      // expected-error @+1 {{unannotate: "B" has no annotation "k", it has none (C2)}}
      loop.block "B" [%v: spatial 8] = (%i) {}
    }
    return
  }
  transform.named_sequence @__transform_main(%f: !transform.any_op) {
    // expected-note @+1 {{in this step of the script}}
    transform.sched.unannotate "B" in %f key "k"
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  func.func @c2_other() {
    // expected-error @+1 {{unannotate: "B:i" has no annotation "k", it has "k1", "k2" (C2)}}
    loop.for serial %i in 8 attributes {loop.annotations = {k1 = 1, k2 = 2}} {
      loop.block "B" [%v: spatial 8] = (%i) {}
    }
    return
  }
  transform.named_sequence @__transform_main(%f: !transform.any_op) {
    // expected-note @+1 {{in this step of the script}}
    transform.sched.unannotate "B:i" in %f key "k"
    transform.yield
  }
}
