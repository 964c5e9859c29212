// RUN: lw-opt %s -verify-diagnostics --sched-expect-refusal

func.func @unroll_c1_no_loop() attributes {refused = "unroll 'B:k' in %f"} {
  loop.for serial %i in 4 {
    // expected-error @+1 {{unroll: there is no loop "k" around schedule block "B", there are "i" (C1)}}
    loop.block "B" [%v: spatial 4] = (%i) {}
  }
  return
}

func.func @unroll_c2_twice() attributes {refused = "unroll 'B:i' in %f"} {
  // expected-error @+1 {{unroll: loop "i" is vectorize, expected serial (C2)}}
  loop.for vectorize %i in 4 {
    loop.block "B" [%v: spatial 4] = (%i) {}
  }
  return
}

func.func @unroll_c3_dynamic(%n: index) attributes {refused = "unroll 'B:i' in %f"} {
  // expected-error @+1 {{unroll: loop "i" has no constant extent (C3)}}
  loop.for serial %i in %n {
    loop.block "B" [%v: spatial %n] = (%i) {}
  }
  return
}

func.func @unroll_c3_half_known_minimum(%n: index) attributes {refused = "unroll 'B:i' in %f"} {
  // expected-error @+1 {{unroll: loop "i" has no constant extent (C3)}}
  loop.for serial %i in min affine_map<()[s0] -> (s0, 4)>()[%n] {
    loop.block "B" [%v: spatial %n] = (%i) {}
  }
  return
}

func.func @unroll_c2_twice_2() attributes {refused = "unroll 'B:i' in %f"} {
  // expected-error @+1 {{unroll: loop "i" is unroll, expected serial (C2)}}
  loop.for unroll %i in 30 { loop.block "B" [%v: spatial 30] = (%i) {} }
  return
}

func.func @unroll_c4_too_large() attributes {refused = "unroll 'B:i' in %f factor 2"} {
  // expected-error @+1 {{unroll: the product of factors [-1, 2] is too large for an index (C4)}}
  loop.for serial %i in 9223372036854775807 {
    loop.block "B" [%v: spatial 9223372036854775807] = (%i) {}
  }
  return
}
