// RUN: lw-opt %s -verify-diagnostics --sched-expect-refusal

// expected-error @+1 {{unannotate: there is no schedule block "C", there are "B" (C1)}}
func.func @c1_no_block() attributes {refused = "unannotate 'C' in %f key 'k'"} {
  loop.for serial %i in 8 {
    loop.block "B" [%v: spatial 8] = (%i) {}
  }
  return
}

func.func @c2_none() attributes {refused = "unannotate 'B' in %f key 'k'"} {
  loop.for serial %i in 8 {
    // expected-error @+1 {{unannotate: "B" has no annotation "k", it has none (C2)}}
    loop.block "B" [%v: spatial 8] = (%i) {}
  }
  return
}

func.func @c2_other() attributes {refused = "unannotate 'B:i' in %f key 'k'"} {
  // expected-error @+1 {{unannotate: "B:i" has no annotation "k", it has "k1", "k2" (C2)}}
  loop.for serial %i in 8 attributes {loop.annotations = {k1 = 1, k2 = 2}} {
    loop.block "B" [%v: spatial 8] = (%i) {}
  }
  return
}
