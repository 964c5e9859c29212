// RUN: lw-opt %s -verify-diagnostics --sched-expect-refusal

// expected-error @+1 {{query: nothing matches "C*" (C1)}}
func.func @query_c1_no_block() attributes {refused = "query 'C*' in %f what 'loops'"} {
  loop.for serial %i in 30 { loop.block "B" [%v: spatial 30] = (%i) {} }
  return
}

// expected-error @+1 {{query: nothing matches "B:j" (C1)}}
func.func @query_c1_no_loop() attributes {refused = "query 'B:j' in %f what 'find'"} {
  loop.for serial %i in 30 { loop.block "B" [%v: spatial 30] = (%i) {} }
  return
}

// expected-error @+1 {{query: there is no query "order", expected one of find, loops, children, producers, consumers, parent, next, previous, outputs, buffers, nest, inlining, mergeable (C2)}}
func.func @query_c2_no_question() attributes {refused = "query 'B' in %f what 'order'"} {
  loop.for serial %i in 30 { loop.block "B" [%v: spatial 30] = (%i) {} }
  return
}

// expected-error @+1 {{query: "B:i" is a pattern of loops, but query "loops" is about schedule blocks (C3)}}
func.func @query_c3_loops_of_a_loop() attributes {refused = "query 'B:i' in %f what 'loops'"} {
  loop.for serial %i in 30 { loop.block "B" [%v: spatial 30] = (%i) {} }
  return
}
