// RUN: lw-opt %s -verify-diagnostics --sched-expect-refusal

// expected-error @+1 {{annotate: there is no schedule block "C", there are "B" (C1)}}
func.func @c1_no_block() attributes {refused = "annotate 'C' in %f key 'k' value 1"} {
  loop.for serial %i in 8 {
    loop.block "B" [%v: spatial 8] = (%i) {}
  }
  return
}

func.func @c1_no_loop() attributes {refused = "annotate 'B:j' in %f key 'k' value 1"} {
  loop.for serial %i in 8 {
    // expected-error @+1 {{annotate: there is no loop "j" around schedule block "B", there are "i" (C1)}}
    loop.block "B" [%v: spatial 8] = (%i) {}
  }
  return
}

func.func @c2_key() attributes {refused = "annotate 'B:i' in %f key '2 words' value 1"} {
  // expected-error @+1 {{annotate: "2 words" is not a key, expected letters, digits, '_', '$', '-' and '.', starting with a letter (C2)}}
  loop.for serial %i in 8 {
    loop.block "B" [%v: spatial 8] = (%i) {}
  }
  return
}

func.func @c2_key_of_a_step() attributes {refused = "annotate 'B' in %f key 'atomic' value true"} {
  loop.for serial %i in 8 {
    // expected-error @+1 {{annotate: "atomic" is not a key for annotate: use the step "atomic" (C2)}}
    loop.block "B" [%v: spatial 8] = (%i) {}
  }
  return
}

func.func @c3_taken() attributes {refused = "annotate 'B' in %f key 'k' value 1"} {
  loop.for serial %i in 8 {
    // expected-error @+1 {{annotate: "B" has the annotation "k" already: unannotate it first (C3)}}
    loop.block "B" [%v: spatial 8] = (%i) attributes {loop.annotations = {k = 2}} {}
  }
  return
}
