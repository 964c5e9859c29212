// RUN: lw-opt %s -verify-diagnostics --sched-expect-refusal

// expected-error @+1 {{compute_at: there is no schedule block "P", there are none: --convert-linalg-to-loop makes schedule blocks of linalg ops (C1)}}
func.func @at_c1_no_block(%A: memref<8xf32>, %C: memref<8xf32>)
    attributes {refused = "compute_at 'P' in %f loop 'R:i'"} {
  return
}

func.func @at_c1_no_loop(%A: memref<8xf32>, %C: memref<8xf32>)
    attributes {refused = "compute_at 'P' in %f loop 'R:k'"} {
  %T = loop.buffer "T" scope(global) : memref<8xf32>
  loop.for serial %i in 8 {
    loop.block "P" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%T[%v : 1]) {
      %a = memref.load %A[%v] : memref<8xf32>
      memref.store %a, %T[%v] : memref<8xf32>
    }
  }
  loop.for serial %i in 8 {
    // expected-error @+1 {{compute_at: there is no loop "k" around schedule block "R", there are "i" (C1)}}
    loop.block "R" [%v: spatial 8] = (%i) reads(%T[%v : 1]) writes(%C[%v : 1]) {
      %t = memref.load %T[%v] : memref<8xf32>
      memref.store %t, %C[%v] : memref<8xf32>
    }
  }
  return
}

func.func @at_c2_already(%A: memref<8xf32>, %C: memref<8xf32>)
    attributes {refused = "compute_at 'P' in %f loop 'R:i'"} {
  %T = loop.buffer "T" scope(global) : memref<8xf32>
  loop.for serial %i in 8 {
    // expected-note @+2 {{no loop is legal for compute_at}}
    // expected-error @+1 {{compute_at: schedule block "P" is in loop "P:i" already (C2)}}
    loop.block "P" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%T[%v : 1]) {
      %a = memref.load %A[%v] : memref<8xf32>
      memref.store %a, %T[%v] : memref<8xf32>
    }
    loop.block "R" [%v: spatial 8] = (%i) reads(%T[%v : 1]) writes(%C[%v : 1]) {
      %t = memref.load %T[%v] : memref<8xf32>
      memref.store %t, %C[%v] : memref<8xf32>
    }
  }
  return
}

func.func @at_c2_other_scope(%A: memref<8xf32>, %C: memref<8xf32>)
    attributes {refused = "compute_at 'P' in %f loop 'R:i'"} {
  %T = loop.buffer "T" scope(global) : memref<8xf32>
  loop.for serial %i in 8 {
    // expected-note @+2 {{no loop is legal for compute_at}}
    // expected-error @+1 {{compute_at: loop "R:i" and schedule block "P" are not in the same schedule block (C2)}}
    loop.block "P" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%T[%v : 1]) {
      %a = memref.load %A[%v] : memref<8xf32>
      memref.store %a, %T[%v] : memref<8xf32>
    }
  }
  loop.block "N" [] = () reads(%T[0 : 8]) writes(%C[0 : 8]) {
  // expected-note @+1 {{the loop is here}}
  loop.for serial %i in 8 {
    loop.block "R" [%v: spatial 8] = (%i) reads(%T[%v : 1]) writes(%C[%v : 1]) {
      %t = memref.load %T[%v] : memref<8xf32>
      memref.store %t, %C[%v] : memref<8xf32>
    }
  }
  }
  return
}

func.func @at_c2_other_branch(%A: memref<8xf32>, %C: memref<8xf32>, %n: index)
    attributes {refused = "compute_at 'P' in %f loop 'R:i'"} {
  %T = loop.buffer "T" scope(global) : memref<8xf32>
  // expected-note @+1 {{the 'loop.if' is here}}
  loop.if (%n >= 0) {
    loop.for serial %i in 8 {
      // expected-note @+2 {{no loop is legal for compute_at}}
      // expected-error @+1 {{compute_at: loop "R:i" and schedule block "P" are in different branches (C2)}}
      loop.block "P" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%T[%v : 1]) {
        %a = memref.load %A[%v] : memref<8xf32>
        memref.store %a, %T[%v] : memref<8xf32>
      }
    }
  } else {
    loop.for serial %i in 8 {
      loop.block "R" [%v: spatial 8] = (%i) reads(%T[%v : 1]) writes(%C[%v : 1]) {
        %t = memref.load %T[%v] : memref<8xf32>
        memref.store %t, %C[%v] : memref<8xf32>
      }
    }
  }
  return
}

func.func @at_c3_nest(%A: memref<8xf32>, %C: memref<8xf32>) attributes {refused = "compute_at 'P' in %f loop 'R:i'"} {
  // expected-error @+1 {{compute_at: schedule block "P" has a nest as its body (C3)}}
  loop.block "P" [] = () { loop.block "B" [] = () {} }
  loop.for serial %i in 8 {
    loop.block "R" [] = () {}
  }
  return
}

func.func private @g()
func.func @at_c3_call(%A: memref<8xf32>, %C: memref<8xf32>) attributes {refused = "compute_at 'P' in %f loop 'R:i'"} {
  loop.for serial %i in 8 {
    // expected-error @+1 {{compute_at: schedule block "P" calls a function, whose effects are not known (C3)}}
    loop.block "P" [%v: spatial 8] = (%i) { func.call @g() : () -> () }
  }
  loop.for serial %i in 8 {
    loop.block "R" [] = () {}
  }
  return
}

func.func @at_c3_opaque(%A: memref<8xf32>, %C: memref<8xf32>) attributes {refused = "compute_at 'P' in %f loop 'R:i'"} {
  %T = loop.buffer "T" scope(global) : memref<8xf32>
  loop.for serial %i in 8 {
    // expected-error @+1 {{compute_at: iter "v" of schedule block "P" is opaque, expected spatial (C3)}}
    loop.block "P" [%v: opaque 8] = (%i) reads(%A[%v : 1]) writes(%T[%v : 1]) {
      %a = memref.load %A[%v] : memref<8xf32>
      memref.store %a, %T[%v] : memref<8xf32>
    }
  }
  loop.for serial %i in 8 {
    loop.block "R" [%v: spatial 8] = (%i) reads(%T[%v : 1]) writes(%C[%v : 1]) {
      %t = memref.load %T[%v] : memref<8xf32>
      memref.store %t, %C[%v] : memref<8xf32>
    }
  }
  return
}

func.func @at_c3_no_init(%A: memref<8xf32>, %C: memref<8xf32>)
    attributes {refused = "compute_at 'P' in %f loop 'R:i'"} {
  %T = loop.buffer "T" scope(global) : memref<8xf32>
  loop.for serial %i in 8 {
    // expected-error @+1 {{compute_at: schedule block "P" has no 'loop.init' (C3)}}
    loop.block "P" [%v: spatial 8, %vk: reduce 1] = (%i, 0) reads(%A[%v : 1]) writes(%T[%v : 1]) {
      %a = memref.load %A[%v] : memref<8xf32>
      memref.store %a, %T[%v] : memref<8xf32>
    }
  }
  loop.for serial %i in 8 {
    loop.block "R" [%v: spatial 8] = (%i) reads(%T[%v : 1]) writes(%C[%v : 1]) {
      %t = memref.load %T[%v] : memref<8xf32>
      memref.store %t, %C[%v] : memref<8xf32>
    }
  }
  return
}

func.func @at_c4_no_store(%A: memref<8xf32>, %C: memref<8xf32>)
    attributes {refused = "compute_at 'P' in %f loop 'R:i'"} {
  loop.for serial %i in 8 {
    // expected-error @+1 {{compute_at: schedule block "P" has 0 stores, expected one (C4)}}
    loop.block "P" [] = () {}
  }
  loop.for serial %i in 8 {
    loop.block "R" [] = () {}
  }
  return
}

func.func @at_c4_argument(%A: memref<8xf32>, %C: memref<8xf32>, %T: memref<8xf32>)
    attributes {refused = "compute_at 'P' in %f loop 'R:i'"} {
  loop.for serial %i in 8 {
    // expected-error @+1 {{compute_at: schedule block "P" writes "arg2", an argument of the function (C4)}}
    loop.block "P" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%T[%v : 1]) {
      %a = memref.load %A[%v] : memref<8xf32>
      memref.store %a, %T[%v] : memref<8xf32>
    }
  }
  loop.for serial %i in 8 {
    loop.block "R" [%v: spatial 8] = (%i) reads(%T[%v : 1]) writes(%C[%v : 1]) {
      %t = memref.load %T[%v] : memref<8xf32>
      memref.store %t, %C[%v] : memref<8xf32>
    }
  }
  return
}

func.func private @g_2(memref<8xf32>)
func.func @at_c4_escapes(%A: memref<8xf32>, %C: memref<8xf32>)
    attributes {refused = "compute_at 'P' in %f loop 'R:i'"} {
  %T = loop.buffer "T" scope(global) : memref<8xf32>
  loop.for serial %i in 8 {
    // expected-error @+1 {{compute_at: something other than schedule blocks uses "T" (C4)}}
    loop.block "P" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%T[%v : 1]) {
      %a = memref.load %A[%v] : memref<8xf32>
      memref.store %a, %T[%v] : memref<8xf32>
    }
  }
  loop.for serial %i in 8 {
    loop.block "R" [%v: spatial 8] = (%i) reads(%T[%v : 1]) writes(%C[%v : 1]) {
      %t = memref.load %T[%v] : memref<8xf32>
      memref.store %t, %C[%v] : memref<8xf32>
    }
  }
  func.call @g_2(%T) : (memref<8xf32>) -> ()
  return
}

func.func @at_c4_second_writer(%A: memref<8xf32>, %C: memref<8xf32>)
    attributes {refused = "compute_at 'P' in %f loop 'R:i'"} {
  %T = loop.buffer "T" scope(global) : memref<8xf32>
  loop.for serial %i in 8 {
    // expected-error @+1 {{compute_at: "T" is written by schedule block "Q" too (C4)}}
    loop.block "P" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%T[%v : 1]) {
      %a = memref.load %A[%v] : memref<8xf32>
      memref.store %a, %T[%v] : memref<8xf32>
    }
  }
  loop.for serial %i in 8 {
    // expected-note @+1 {{the other writer is here}}
    loop.block "Q" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%T[%v : 1]) {
      %a = memref.load %A[%v] : memref<8xf32>
      memref.store %a, %T[%v] : memref<8xf32>
    }
  }
  loop.for serial %i in 8 {
    loop.block "R" [%v: spatial 8] = (%i) reads(%T[%v : 1]) writes(%C[%v : 1]) {
      %t = memref.load %T[%v] : memref<8xf32>
      memref.store %t, %C[%v] : memref<8xf32>
    }
  }
  return
}

func.func @at_c4_own_result(%A: memref<8xf32>, %C: memref<8xf32>)
    attributes {refused = "compute_at 'P' in %f loop 'R:i'"} {
  %T = loop.buffer "T" scope(global) : memref<8xf32>
  loop.for serial %i in 8 {
    // expected-error @+1 {{compute_at: schedule block "P" reads "T", which it writes (C4)}}
    loop.block "P" [%v: spatial 8] = (%i) reads(%T[%v : 1]) writes(%T[%v : 1]) {
      %a = memref.load %T[%v] : memref<8xf32>
      memref.store %a, %T[%v] : memref<8xf32>
    }
  }
  loop.for serial %i in 8 {
    loop.block "R" [%v: spatial 8] = (%i) reads(%T[%v : 1]) writes(%C[%v : 1]) {
      %t = memref.load %T[%v] : memref<8xf32>
      memref.store %t, %C[%v] : memref<8xf32>
    }
  }
  return
}

func.func @at_c5_no_reader(%A: memref<8xf32>, %C: memref<8xf32>)
    attributes {refused = "compute_at 'P' in %f loop 'R:i'"} {
  %T = loop.buffer "T" scope(global) : memref<8xf32>
  loop.for serial %i in 8 {
    // expected-error @+1 {{compute_at: no schedule block reads "T" (C5)}}
    loop.block "P" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%T[%v : 1]) {
      %a = memref.load %A[%v] : memref<8xf32>
      memref.store %a, %T[%v] : memref<8xf32>
    }
  }
  loop.for serial %i in 8 {
    loop.block "R" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%C[%v : 1]) {
      %t = memref.load %A[%v] : memref<8xf32>
      memref.store %t, %C[%v] : memref<8xf32>
    }
  }
  return
}

func.func @at_c5_read_before(%A: memref<8xf32>, %C: memref<8xf32>)
    attributes {refused = "compute_at 'P' in %f loop 'R:i'"} {
  %T = loop.buffer "T" scope(global) : memref<8xf32>
  loop.for serial %i in 8 {
    // expected-note @+1 {{the reader is here}}
    loop.block "R" [%v: spatial 8] = (%i) reads(%T[%v : 1]) writes(%C[%v : 1]) {
      %t = memref.load %T[%v] : memref<8xf32>
      memref.store %t, %C[%v] : memref<8xf32>
    }
  }
  loop.for serial %i in 8 {
    // expected-error @+1 {{compute_at: schedule block "R" reads "T" before it is written (C5)}}
    loop.block "P" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%T[%v : 1]) {
      %a = memref.load %A[%v] : memref<8xf32>
      memref.store %a, %T[%v] : memref<8xf32>
    }
  }
  return
}

func.func @at_c5_reader_outside(%A: memref<8xf32>, %C: memref<8xf32>)
    attributes {refused = "compute_at 'P' in %f loop 'R:i'"} {
  %T = loop.buffer "T" scope(global) : memref<8xf32>
  loop.for serial %i in 8 {
    // expected-note @+2 {{no loop is legal for compute_at}}
    // expected-error @+1 {{compute_at: schedule block "S" reads "T" outside of loop "i" (C5)}}
    loop.block "P" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%T[%v : 1]) {
      %a = memref.load %A[%v] : memref<8xf32>
      memref.store %a, %T[%v] : memref<8xf32>
    }
  }
  loop.for serial %i in 8 {
    loop.block "R" [%v: spatial 8] = (%i) reads(%T[%v : 1]) writes(%C[%v : 1]) {
      %t = memref.load %T[%v] : memref<8xf32>
      memref.store %t, %C[%v] : memref<8xf32>
    }
  }
  loop.for serial %i in 8 {
    // expected-note @+1 {{the reader is here}}
    loop.block "S" [%v: spatial 8] = (%i) reads(%T[%v : 1]) writes(%C[%v : 1]) {
      %t = memref.load %T[%v] : memref<8xf32>
      memref.store %t, %C[%v] : memref<8xf32>
    }
  }
  return
}

func.func @at_c5_legal(%A: memref<8xf32>, %C: memref<8xf32>) attributes {refused = "compute_at 'P' in %f loop 'R:i'"} {
  %T = loop.buffer "T" scope(global) : memref<8xf32>
  loop.for serial %i in 8 {
    // expected-note @+2 {{legal loops for compute_at: R:o}}
    // expected-error @+1 {{compute_at: schedule block "S" reads "T" outside of loop "i" (C5)}}
    loop.block "P" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%T[%v : 1]) {
      %a = memref.load %A[%v] : memref<8xf32>
      memref.store %a, %T[%v] : memref<8xf32>
    }
  }
  loop.for serial %o in 2 {
    loop.for serial %i in 8 {
    loop.block "R" [%v: spatial 8] = (%i) reads(%T[%v : 1]) writes(%C[%v : 1]) {
      %t = memref.load %T[%v] : memref<8xf32>
      memref.store %t, %C[%v] : memref<8xf32>
    }
  }
    loop.for serial %i in 8 {
    // expected-note @+1 {{the reader is here}}
    loop.block "S" [%v: spatial 8] = (%i) reads(%T[%v : 1]) writes(%C[%v : 1]) {
      %t = memref.load %T[%v] : memref<8xf32>
      memref.store %t, %C[%v] : memref<8xf32>
    }
  }
  }
  return
}

func.func @at_c6_parallel(%A: memref<8xf32>, %C: memref<8xf32>)
    attributes {refused = "compute_at 'P' in %f loop 'R:i'"} {
  %T = loop.buffer "T" scope(global) : memref<8xf32>
  // expected-note @+2 {{no loop is legal for compute_at}}
  // expected-error @+1 {{compute_at: loop "i" is parallel, expected serial (C6)}}
  loop.for parallel %i in 8 {
    loop.block "P" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%T[%v : 1]) {
      %a = memref.load %A[%v] : memref<8xf32>
      memref.store %a, %T[%v] : memref<8xf32>
    }
  }
  loop.for serial %i in 8 {
    loop.block "R" [%v: spatial 8] = (%i) reads(%T[%v : 1]) writes(%C[%v : 1]) {
      %t = memref.load %T[%v] : memref<8xf32>
      memref.store %t, %C[%v] : memref<8xf32>
    }
  }
  return
}

func.func @at_c7_same_cell(%A: memref<8xf32>, %C: memref<8xf32>)
    attributes {refused = "compute_at 'P' in %f loop 'R:i'"} {
  %T = loop.buffer "T" scope(global) : memref<8xf32>
  loop.for serial %o in 2 {
    loop.for serial %i in 8 {
    // expected-note @+2 {{no loop is legal for compute_at}}
    // expected-error @+1 {{compute_at: cannot prove that the instances of schedule block "P" write different cells of "T": its indices are not proved to be injective in all its iters; proof "assume" takes it as true (C7)}}
    loop.block "P" [%v: spatial 8, %w: spatial 2] = (%i, %o) reads(%A[%v : 1]) writes(%T[%v : 1]) {
      %a = memref.load %A[%v] : memref<8xf32>
      memref.store %a, %T[%v] : memref<8xf32>
    }
  }
  }
  loop.for serial %i in 8 {
    loop.block "R" [%v: spatial 8] = (%i) reads(%T[%v : 1]) writes(%C[%v : 1]) {
      %t = memref.load %T[%v] : memref<8xf32>
      memref.store %t, %C[%v] : memref<8xf32>
    }
  }
  return
}

func.func @at_c7_twice(%A: memref<8xf32>, %C: memref<8xf32>) attributes {refused = "compute_at 'P' in %f loop 'R:i'"} {
  %T = loop.buffer "T" scope(global) : memref<8xf32>
  loop.for serial %o in 2 {
    loop.for serial %k in 4 {
    loop.for serial %i in 8 {
    // expected-note @+2 {{no loop is legal for compute_at}}
    // expected-error @+1 {{compute_at: cannot prove that the iterations of loop "o" are different instances of schedule block "P": its bindings are not proved to be injective in the loop; proof "assume" takes it as true (C7)}}
    loop.block "P" [%v: spatial 8, %vk: reduce 4] = (%i, %k) reads(%A[%v : 1]) writes(%T[%v : 1]) reducer(add, 0.0) {
      loop.init {
        %zero = arith.constant 0.0 : f32
        memref.store %zero, %T[%v] : memref<8xf32>
      }
      %a = memref.load %A[%v] : memref<8xf32>
      %t = memref.load %T[%v] : memref<8xf32>
      %s = arith.addf %t, %a : f32
      memref.store %s, %T[%v] : memref<8xf32>
    }
  }
  }
  }
  loop.for serial %i in 8 {
    loop.block "R" [%v: spatial 8] = (%i) reads(%T[%v : 1]) writes(%C[%v : 1]) {
      %t = memref.load %T[%v] : memref<8xf32>
      memref.store %t, %C[%v] : memref<8xf32>
    }
  }
  return
}

func.func @at_c7_ordered(%A: memref<8xf32>, %C: memref<8xf32>)
    attributes {refused = "compute_at 'P' in %f loop 'R:i'"} {
  %T = loop.buffer "T" scope(global) : memref<8xf32>
  loop.for serial %o in 2 { loop.for serial %k in 2 {
    loop.for serial %i in 8 {
    // expected-note @+2 {{no loop is legal for compute_at}}
    // expected-error @+1 {{compute_at: schedule block "P" has updates whose order matters: its reducer is ordered; proof "assume" takes it as true (C7)}}
    loop.block "P" [%v: spatial 8, %vk: reduce 4] = (%i, %o + %k * 2) reads(%A[%v : 1]) writes(%T[%v : 1]) reducer(ordered) {
      loop.init {
        %zero = arith.constant 0.0 : f32
        memref.store %zero, %T[%v] : memref<8xf32>
      }
      %a = memref.load %A[%v] : memref<8xf32>
      %t = memref.load %T[%v] : memref<8xf32>
      %s = arith.subf %a, %t : f32
      memref.store %s, %T[%v] : memref<8xf32>
    }
  } }
  }
  loop.for serial %i in 8 {
    loop.block "R" [%v: spatial 8] = (%i) reads(%T[%v : 1]) writes(%C[%v : 1]) {
      %t = memref.load %T[%v] : memref<8xf32>
      memref.store %t, %C[%v] : memref<8xf32>
    }
  }
  return
}

func.func @at_c8_part(%A: memref<8xf32>, %C: memref<8xf32>) attributes {refused = "compute_at 'P' in %f loop 'R:i'"} {
  %T = loop.buffer "T" scope(global) : memref<8xf32>
  loop.for serial %i in 7 {
    // expected-note @+2 {{no loop is legal for compute_at}}
    // expected-error @+1 {{compute_at: cannot prove that schedule block "P" runs for all values of iter "v" that its readers need: its loops are not proved to cover them all; proof "assume" takes it as true (C8)}}
    loop.block "P" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%T[%v : 1]) {
      %a = memref.load %A[%v] : memref<8xf32>
      memref.store %a, %T[%v] : memref<8xf32>
    }
  }
  loop.for serial %i in 8 {
    loop.block "R" [%v: spatial 8] = (%i) reads(%T[%v : 1]) writes(%C[%v : 1]) {
      %t = memref.load %T[%v] : memref<8xf32>
      memref.store %t, %C[%v] : memref<8xf32>
    }
  }
  return
}

// The condition is on a loop that no iter is bound to.
func.func @at_c8_condition(%A: memref<8xf32>, %C: memref<8xf32>)
    attributes {refused = ["compute_at 'P' in %f loop 'R:i'", "compute_at 'P' in %f loop 'R:i' proof 'assume'"]} {
  %T = loop.buffer "T" scope(global) : memref<8xf32>
  loop.for serial %i in 8 {
    loop.for serial %j in 2 {
      // expected-note @+2 {{no loop is legal for compute_at}}
      // expected-error @+1 {{compute_at: schedule block "P" runs only where 0 < i + j, which no predicate over its iters states: the condition would be lost at other loops (C8)}}
      loop.block "P" [%v: spatial 8] = (%i) where(%i + %j - 1 >= 0) reads(%A[%v : 1]) writes(%T[%v : 1]) {
        %a = memref.load %A[%v] : memref<8xf32>
        memref.store %a, %T[%v] : memref<8xf32>
      }
    }
  }
  loop.for serial %i in 8 {
    loop.block "R" [%v: spatial 8] = (%i) reads(%T[%v : 1]) writes(%C[%v : 1]) {
      %t = memref.load %T[%v] : memref<8xf32>
      memref.store %t, %C[%v] : memref<8xf32>
    }
  }
  return
}

func.func @at_c9_overwritten(%A: memref<8xf32>, %C: memref<8xf32>)
    attributes {refused = "compute_at 'P' in %f loop 'R:i'"} {
  %T = loop.buffer "T" scope(global) : memref<8xf32>
  loop.for serial %i in 8 {
    // expected-note @+2 {{no loop is legal for compute_at}}
    // expected-error @+1 {{compute_at: "arg0" is overwritten by schedule block "W" before "R:i" would read it: iteration i = 0 of "P" (reads) and iteration i = 0 of "W" (writes) both access "arg0"[0] (C9)}}
    loop.block "P" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%T[%v : 1]) {
      %a = memref.load %A[%v] : memref<8xf32>
      memref.store %a, %T[%v] : memref<8xf32>
    }
  }
  loop.for serial %i in 8 {
    // expected-note @+1 {{the writer is here}}
    loop.block "W" [%v: spatial 8] = (%i) reads(%C[%v : 1]) writes(%A[%v : 1]) {
      %t = memref.load %C[%v] : memref<8xf32>
      memref.store %t, %A[%v] : memref<8xf32>
    }
  }
  loop.for serial %i in 8 {
    loop.block "R" [%v: spatial 8] = (%i) reads(%T[%v : 1]) writes(%C[%v : 1]) {
      %t = memref.load %T[%v] : memref<8xf32>
      memref.store %t, %C[%v] : memref<8xf32>
    }
  }
  return
}

func.func private @g_3()
func.func @at_c9_call(%A: memref<8xf32>, %C: memref<8xf32>) attributes {refused = "compute_at 'P' in %f loop 'R:i'"} {
  %T = loop.buffer "T" scope(global) : memref<8xf32>
  loop.for serial %i in 8 {
    // expected-note @+2 {{no loop is legal for compute_at}}
    // expected-error @+1 {{compute_at: "arg0" may be overwritten by 'func.call' before "R:i" would read it: its effects are not known; proof "assume" takes it as true (C9)}}
    loop.block "P" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%T[%v : 1]) {
      %a = memref.load %A[%v] : memref<8xf32>
      memref.store %a, %T[%v] : memref<8xf32>
    }
  }
  // expected-note @+1 {{it is here}}
  func.call @g_3() : () -> ()
  loop.for serial %i in 8 {
    loop.block "R" [%v: spatial 8] = (%i) reads(%T[%v : 1]) writes(%C[%v : 1]) {
      %t = memref.load %T[%v] : memref<8xf32>
      memref.store %t, %C[%v] : memref<8xf32>
    }
  }
  return
}

func.func @at_c9_private(%A: memref<8xf32>, %C: memref<8xf32>)
    attributes {refused = "compute_at 'P' in %f loop 'R:i'"} {
  %T = loop.buffer "T" scope(global) : memref<8xf32>
  %S = loop.buffer "S" scope(local) : memref<8xf32>
  loop.for serial %i in 8 {
    // expected-note @+2 {{no loop is legal for compute_at}}
    // expected-error @+1 {{compute_at: schedule block "P" accesses "S" of scope local: each iteration would have its own: the loops that own it would change; proof "assume" takes it as true (C9)}}
    loop.block "P" [%v: spatial 8] = (%i) reads(%S[%v : 1]) writes(%T[%v : 1]) {
      %a = memref.load %S[%v] : memref<8xf32>
      memref.store %a, %T[%v] : memref<8xf32>
    }
  }
  loop.for parallel %i in 8 {
    loop.block "R" [%v: spatial 8] = (%i) reads(%T[%v : 1]) writes(%C[%v : 1]) {
      %t = memref.load %T[%v] : memref<8xf32>
      memref.store %t, %C[%v] : memref<8xf32>
    }
  }
  return
}

func.func @at_c10_race(%A: memref<8xf32>, %C: memref<8xf32>) attributes {refused = "compute_at 'P' in %f loop 'R:i'"} {
  %T = loop.buffer "T" scope(global) : memref<8xf32>
  loop.for serial %i in 8 {
    // expected-note @+2 {{no loop is legal for compute_at}}
    // expected-error @+1 {{compute_at: cannot prove that the iterations of parallel loop "i" would write different cells of "T" in schedule block "P": make the loop serial, or give each iteration a buffer of its own (scope local): iterations i = 5, i_1 = 0 of "P" (writes) and iterations i = 6, i_1 = 0 of "P" (writes) both access "T"[0] (C10)}}
    loop.block "P" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%T[%v : 1]) {
      %a = memref.load %A[%v] : memref<8xf32>
      memref.store %a, %T[%v] : memref<8xf32>
    }
  }
  loop.for parallel %i in 8 {
    loop.block "R" [%v: spatial 8] = (%i) reads(%T[*]) writes(%C[%v : 1]) {
      %x = arith.index_cast %v : index to i64
      %y = arith.index_cast %x : i64 to index
      %t = memref.load %T[%y] : memref<8xf32>
      memref.store %t, %C[%v] : memref<8xf32>
    }
  }
  return
}

func.func @at_c11_threads(%A: memref<8xf32>, %C: memref<8xf32>)
    attributes {refused = "compute_at 'P' in %f loop 'R:o'"} {
  %T = loop.buffer "T" scope(global) : memref<8xf32>
  loop.for serial %i in 8 {
      // expected-note @+2 {{legal loops for compute_at: R:i}}
    // expected-error @+1 {{compute_at: cannot prove that schedule blocks "P" and "R", which share "T", would run in the same threads: their thread axes differ, or one reads what other threads have written; proof "assume" takes it as true (C11)}}
    loop.block "P" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%T[%v : 1]) {
      %a = memref.load %A[%v] : memref<8xf32>
      memref.store %a, %T[%v] : memref<8xf32>
    }
  }
  loop.for serial %o in 2 {
    loop.for thread_bind[threadIdx.x] %i in 4 {
    loop.block "R" [%v: spatial 8] = (%o * 4 + %i) reads(%T[%v : 1]) writes(%C[%v : 1]) {
      %t = memref.load %T[%v] : memref<8xf32>
      memref.store %t, %C[%v] : memref<8xf32>
    }
  }
  }
  return
}

// An empty sum has its start values too.
func.func @compute_at_c9_start_values(%n: index, %A: memref<4x?xf32>, %B: memref<4xf32>)
    attributes {refused = "compute_at 'P' in %f loop 'R:k'"} {
  %T = loop.buffer "T" scope(global) : memref<4xf32>
  loop.for serial %i in 4 {
    // expected-note @+2 {{legal loops for compute_at: R:i}}
    // expected-error @+1 {{compute_at: the start values of schedule block "R" read "T", which "P" would write in loop "k", over which "R" reduces and which may not run (C9)}}
    loop.block "P" [%v: spatial 4] = (%i) writes(%T[%v : 1]) {
      %c = arith.constant 1.0 : f32
      memref.store %c, %T[%v] : memref<4xf32>
    }
  }
  loop.for serial %i in 4 {
    loop.for serial %k in %n {
      loop.block "R" [%v: spatial 4, %vk: reduce %n] = (%i, %k) reads(%A[%v : 1, %vk : 1], %T[%v : 1]) writes(%B[%v : 1]) reducer(add, 0.0) {
        loop.init {
          %t = memref.load %T[%v] : memref<4xf32>
          memref.store %t, %B[%v] : memref<4xf32>
        }
        %b = memref.load %B[%v] : memref<4xf32>
        %a = memref.load %A[%v, %vk] : memref<4x?xf32>
        %s = arith.addf %b, %a : f32
        memref.store %s, %B[%v] : memref<4xf32>
      }
    }
  }
  return
}

// An enclosing serial loop does not order threads.
func.func @compute_at_c10_threads(%A: memref<6xf32>, %B: memref<3x4xf32>)
    attributes {refused = "compute_at 'P' in %f loop 'C:j'"} {
  %T = loop.buffer "T" scope(global) : memref<6xf32>
  loop.for serial %i in 6 {
    // expected-note @+2 {{no loop is legal for compute_at}}
    // expected-error @+1 {{compute_at: cannot prove that the iterations of thread_bind loop "j" would write different cells of "T" in schedule block "P": make the loop serial, or give each iteration a buffer of its own (scope local): iterations i = 1, j = 2 of "P" (writes) and iterations i = 0, j = 3 of "P" (writes) both access "T"[3] (C10)}}
    loop.block "P" [%v: spatial 6] = (%i) reads(%A[%v : 1]) writes(%T[%v : 1]) {
      %a = memref.load %A[%v] : memref<6xf32>
      memref.store %a, %T[%v] : memref<6xf32>
    }
  }
  loop.for serial %i in 3 {
    loop.for thread_bind[blockIdx.x] %j in 4 {
      loop.block "C" [%v: spatial 3, %w: spatial 4] = (%i, %j) reads(%T[%v + %w : 1]) writes(%B[%v : 1, %w : 1]) {
        %p = affine.apply affine_map<(d0, d1) -> (d0 + d1)>(%v, %w)
        %t = memref.load %T[%p] : memref<6xf32>
        memref.store %t, %B[%v, %w] : memref<3x4xf32>
      }
    }
  }
  return
}

// An enclosing serial loop does not order threads.
func.func @compute_at_c10_blocks_of_two_axes(%A: memref<6xf32>, %B: memref<3x4xf32>)
    attributes {refused = "compute_at 'P' in %f loop 'C:j'"} {
  %T = loop.buffer "T" scope(global) : memref<6xf32>
  loop.for serial %i in 6 {
    // expected-note @+2 {{no loop is legal for compute_at}}
    // expected-error @+1 {{compute_at: cannot prove that the iterations of thread_bind loop "j" would write different cells of "T" in schedule block "P": make the loop serial, or give each iteration a buffer of its own (scope local): iterations i = 1, j = 2 of "P" (writes) and iterations i = 0, j = 3 of "P" (writes) both access "T"[3] (C10)}}
    loop.block "P" [%v: spatial 6] = (%i) reads(%A[%v : 1]) writes(%T[%v : 1]) {
      %a = memref.load %A[%v] : memref<6xf32>
      memref.store %a, %T[%v] : memref<6xf32>
    }
  }
  loop.for thread_bind[blockIdx.y] %i in 3 {
    loop.for thread_bind[blockIdx.x] %j in 4 {
      loop.block "C" [%v: spatial 3, %w: spatial 4] = (%i, %j) reads(%T[%v + %w : 1]) writes(%B[%v : 1, %w : 1]) {
        %p = affine.apply affine_map<(d0, d1) -> (d0 + d1)>(%v, %w)
        %t = memref.load %T[%p] : memref<6xf32>
        memref.store %t, %B[%v, %w] : memref<3x4xf32>
      }
    }
  }
  return
}

// Two iterations are enough for a race.
func.func @compute_at_c10_two_iterations(%A: memref<3xf32>, %C: memref<2xf32>)
    attributes {refused = "compute_at 'P' in %f loop 'C:i'"} {
  %T = loop.buffer "T" scope(global) : memref<3xf32>
  loop.for serial %i in 3 {
    // expected-note @+2 {{no loop is legal for compute_at}}
    // expected-error @+1 {{compute_at: cannot prove that the iterations of parallel loop "i" would write different cells of "T" in schedule block "P": make the loop serial, or give each iteration a buffer of its own (scope local): iterations i = 0, i_1 = 1 of "P" (writes) and iterations i = 1, i_1 = 0 of "P" (writes) both access "T"[1] (C10)}}
    loop.block "P" [%v: spatial 3] = (%i) reads(%A[%v : 1]) writes(%T[%v : 1]) {
      %a = memref.load %A[%v] : memref<3xf32>
      memref.store %a, %T[%v] : memref<3xf32>
    }
  }
  loop.for parallel %i in 2 {
    loop.block "C" [%v: spatial 2] = (%i) reads(%T[%v : 2]) writes(%C[%v : 1]) {
      %next = affine.apply affine_map<(d0) -> (d0 + 1)>(%v)
      %t = memref.load %T[%v] : memref<3xf32>
      %u = memref.load %T[%next] : memref<3xf32>
      %s = arith.addf %t, %u : f32
      memref.store %s, %C[%v] : memref<2xf32>
    }
  }
  return
}
