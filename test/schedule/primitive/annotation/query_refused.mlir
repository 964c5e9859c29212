// RUN: lw-opt %s -split-input-file -verify-diagnostics --transform-interpreter

module attributes {transform.with_named_sequence} {
  // expected-error @+1 {{query: nothing matches "C*" (C1)}}
  func.func @query_c1_no_block() {
    loop.for serial %i in 30 { loop.block "B" [%v: spatial 30] = (%i) {} }
    return
  }
  transform.named_sequence @__transform_main(%f: !transform.any_op) {
    // expected-note @+1 {{in this step of the script}}
    transform.sched.query "C*" in %f what "loops"
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  // expected-error @+1 {{query: nothing matches "B:j" (C1)}}
  func.func @query_c1_no_loop() {
    loop.for serial %i in 30 { loop.block "B" [%v: spatial 30] = (%i) {} }
    return
  }
  transform.named_sequence @__transform_main(%f: !transform.any_op) {
    // expected-note @+1 {{in this step of the script}}
    transform.sched.query "B:j" in %f what "find"
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  // expected-error @+1 {{query: there is no query "order", expected one of find, loops, children, producers, consumers, parent, next, previous, outputs, buffers, nest, inlining, mergeable (C2)}}
  func.func @query_c2_no_question() {
    loop.for serial %i in 30 { loop.block "B" [%v: spatial 30] = (%i) {} }
    return
  }
  transform.named_sequence @__transform_main(%f: !transform.any_op) {
    // expected-note @+1 {{in this step of the script}}
    transform.sched.query "B" in %f what "order"
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  // expected-error @+1 {{query: "B:i" is a pattern of loops, but query "loops" is about schedule blocks (C3)}}
  func.func @query_c3_loops_of_a_loop() {
    loop.for serial %i in 30 { loop.block "B" [%v: spatial 30] = (%i) {} }
    return
  }
  transform.named_sequence @__transform_main(%f: !transform.any_op) {
    // expected-note @+1 {{in this step of the script}}
    transform.sched.query "B:i" in %f what "loops"
    transform.yield
  }
}
