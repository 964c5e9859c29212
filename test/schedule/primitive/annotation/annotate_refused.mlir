// RUN: lw-opt %s -split-input-file -verify-diagnostics --transform-interpreter

module attributes {transform.with_named_sequence} {
  // expected-error @+1 {{annotate: there is no schedule block "C", there are "B" (C1)}}
  func.func @c1_no_block() {
    loop.for serial %i in 8 {
      loop.block "B" [%v: spatial 8] = (%i) {}
    }
    return
  }
  transform.named_sequence @__transform_main(%f: !transform.any_op) {
    // expected-note @+1 {{in this step of the script}}
    transform.sched.annotate "C" in %f key "k" value 1
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  func.func @c1_no_loop() {
    loop.for serial %i in 8 {
      // expected-error @+1 {{annotate: there is no loop "j" around schedule block "B", there are "i" (C1)}}
      loop.block "B" [%v: spatial 8] = (%i) {}
    }
    return
  }
  transform.named_sequence @__transform_main(%f: !transform.any_op) {
    // expected-note @+1 {{in this step of the script}}
    transform.sched.annotate "B:j" in %f key "k" value 1
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  func.func @c2_key() {
    // expected-error @+1 {{annotate: "2 words" is not a key, expected letters, digits, '_', '$', '-' and '.', starting with a letter (C2)}}
    loop.for serial %i in 8 {
      loop.block "B" [%v: spatial 8] = (%i) {}
    }
    return
  }
  transform.named_sequence @__transform_main(%f: !transform.any_op) {
    // expected-note @+1 {{in this step of the script}}
    transform.sched.annotate "B:i" in %f key "2 words" value 1
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  func.func @c2_key_of_a_step() {
    loop.for serial %i in 8 {
      // expected-error @+1 {{annotate: "atomic" is not a key for annotate: use the step "atomic" (C2)}}
      loop.block "B" [%v: spatial 8] = (%i) {}
    }
    return
  }
  transform.named_sequence @__transform_main(%f: !transform.any_op) {
    // expected-note @+1 {{in this step of the script}}
    transform.sched.annotate "B" in %f key "atomic" value true
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  func.func @c3_taken() {
    loop.for serial %i in 8 {
      // expected-error @+1 {{annotate: "B" has the annotation "k" already: unannotate it first (C3)}}
      loop.block "B" [%v: spatial 8] = (%i) attributes {loop.annotations = {k = 2}} {}
    }
    return
  }
  transform.named_sequence @__transform_main(%f: !transform.any_op) {
    // expected-note @+1 {{in this step of the script}}
    transform.sched.annotate "B" in %f key "k" value 1
    transform.yield
  }
}
