// RUN: lw-opt %s -verify-diagnostics --sched-expect-refusal

// expected-error @+1 {{rename: there is no schedule block "C", there are "B" (C1)}}
func.func @c1_no_block() attributes {refused = "rename 'C' in %f to 'D'"} {
  loop.for serial %i in 8 { loop.block "B" [%v: spatial 8] = (%i) {} }
  return
}

func.func @c2_not_a_name() attributes {refused = "rename 'B:i' in %f to '0 rows'"} {
  // expected-error @+1 {{rename: found the name "0 rows", expected letters, digits, '_', '$', '-' and '.', not starting with a digit (C2)}}
  loop.for serial %i in 8 { loop.block "B" [%v: spatial 8] = (%i) {} }
  return
}

func.func @c3_loop_around() attributes {refused = "rename 'B:j' in %f to 'i'"} {
  loop.for serial %i in 8 {
    // expected-error @+1 {{rename: there would be two nested loops named "i" (C3)}}
    loop.for serial %j in 4 { loop.block "B" [%v: spatial 8] = (%i) {} }
  }
  return
}

func.func @c3_loop_inside() attributes {refused = "rename 'B:i' in %f to 'j'"} {
  // expected-error @+1 {{rename: there would be two nested loops named "j" (C3)}}
  loop.for serial %i in 8 {
    loop.for serial %j in 4 { loop.block "B" [%v: spatial 8] = (%i) {} }
  }
  return
}

func.func @c3_other_block() attributes {refused = "rename 'B' in %f to 'C'"} {
  loop.for serial %i in 8 {
    // expected-error @+1 {{rename: there would be two schedule blocks named "C" (C3)}}
    loop.block "B" [%v: spatial 8] = (%i) {}
  }
  // expected-note @+1 {{the other one is here}}
  loop.for serial %j in 4 { loop.block "C" [%v: spatial 4] = (%j) {} }
  return
}
