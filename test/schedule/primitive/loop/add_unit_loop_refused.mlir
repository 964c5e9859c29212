// RUN: lw-opt %s -verify-diagnostics --sched-expect-refusal

func.func @add_unit_loop_c1_no_loop() attributes {refused = "add_unit_loop 'A:j' in %f"} {
  loop.for serial %i in 4 {
    // expected-error @+1 {{add_unit_loop: there is no loop "j" around schedule block "A", there are "i" (C1)}}
    loop.block "A" [%v: spatial 4] = (%i) {}
  }
  return
}
