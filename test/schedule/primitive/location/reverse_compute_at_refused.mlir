// RUN: lw-opt %s -verify-diagnostics --sched-expect-refusal

// expected-error @+1 {{reverse_compute_at: there is no schedule block "C", there are none: --convert-linalg-to-loop makes schedule blocks of linalg ops (C1)}}
func.func @reverse_c1_no_block(%A: memref<8xf32>, %C: memref<8xf32>)
    attributes {refused = "reverse_compute_at 'C' in %f loop 'P:i'"} {
  return
}

func.func @reverse_c1_no_loop(%A: memref<8xf32>, %C: memref<8xf32>)
    attributes {refused = "reverse_compute_at 'C' in %f loop 'P:k'"} {
  %T = loop.buffer "T" scope(global) : memref<8xf32>
  loop.for serial %i in 8 {
    // expected-error @+1 {{reverse_compute_at: there is no loop "k" around schedule block "P", there are "i" (C1)}}
    loop.block "P" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%T[%v : 1]) {
      %x = memref.load %A[%v] : memref<8xf32>
      memref.store %x, %T[%v] : memref<8xf32>
    }
  }
  loop.for serial %i in 8 {
    loop.block "C" [%v: spatial 8] = (%i) reads(%T[%v : 1]) writes(%C[%v : 1]) {
      %x = memref.load %T[%v] : memref<8xf32>
      memref.store %x, %C[%v] : memref<8xf32>
    }
  }
  return
}

func.func @reverse_c2_already(%A: memref<8xf32>, %C: memref<8xf32>)
    attributes {refused = "reverse_compute_at 'C' in %f loop 'P:i'"} {
  %T = loop.buffer "T" scope(global) : memref<8xf32>
  loop.for serial %i in 8 {
    loop.block "P" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%T[%v : 1]) {
      %x = memref.load %A[%v] : memref<8xf32>
      memref.store %x, %T[%v] : memref<8xf32>
    }
    // expected-note @+2 {{no loop is legal for reverse_compute_at}}
    // expected-error @+1 {{reverse_compute_at: schedule block "C" is in loop "P:i" already (C2)}}
    loop.block "C" [%v: spatial 8] = (%i) reads(%T[%v : 1]) writes(%C[%v : 1]) {
      %x = memref.load %T[%v] : memref<8xf32>
      memref.store %x, %C[%v] : memref<8xf32>
    }
  }
  return
}

func.func @reverse_c2_other_scope(%A: memref<8xf32>, %C: memref<8xf32>)
    attributes {refused = "reverse_compute_at 'C' in %f loop 'P:i'"} {
  %T = loop.buffer "T" scope(global) : memref<8xf32>
  loop.block "N" [] = () reads(%A[0 : 8]) writes(%T[0 : 8]) {
  // expected-note @+1 {{the loop is here}}
    loop.for serial %i in 8 {
    loop.block "P" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%T[%v : 1]) {
      %x = memref.load %A[%v] : memref<8xf32>
      memref.store %x, %T[%v] : memref<8xf32>
    }
  }
  }
  loop.for serial %i in 8 {
    // expected-note @+2 {{no loop is legal for reverse_compute_at}}
    // expected-error @+1 {{reverse_compute_at: loop "P:i" and schedule block "C" are not in the same schedule block (C2)}}
    loop.block "C" [%v: spatial 8] = (%i) reads(%T[%v : 1]) writes(%C[%v : 1]) {
      %x = memref.load %T[%v] : memref<8xf32>
      memref.store %x, %C[%v] : memref<8xf32>
    }
  }
  return
}

func.func @reverse_c3_nest(%A: memref<8xf32>, %C: memref<8xf32>)
    attributes {refused = "reverse_compute_at 'C' in %f loop 'P:i'"} {
  %T = loop.buffer "T" scope(global) : memref<8xf32>
  loop.for serial %i in 8 {
    loop.block "P" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%T[%v : 1]) {
      %x = memref.load %A[%v] : memref<8xf32>
      memref.store %x, %T[%v] : memref<8xf32>
    }
  }
  // expected-error @+1 {{reverse_compute_at: schedule block "C" has a nest as its body (C3)}}
  loop.block "C" [] = () { loop.block "B" [] = () {} }
  return
}

func.func private @g()
func.func @reverse_c3_call(%A: memref<8xf32>, %C: memref<8xf32>)
    attributes {refused = "reverse_compute_at 'C' in %f loop 'P:i'"} {
  %T = loop.buffer "T" scope(global) : memref<8xf32>
  loop.for serial %i in 8 {
    loop.block "P" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%T[%v : 1]) {
      %x = memref.load %A[%v] : memref<8xf32>
      memref.store %x, %T[%v] : memref<8xf32>
    }
  }
  // expected-error @+1 {{reverse_compute_at: schedule block "C" calls a function, whose effects are not known (C3)}}
  loop.block "C" [] = () { func.call @g() : () -> () }
  return
}

func.func @reverse_c3_opaque(%A: memref<8xf32>, %C: memref<8xf32>)
    attributes {refused = "reverse_compute_at 'C' in %f loop 'P:i'"} {
  %T = loop.buffer "T" scope(global) : memref<8xf32>
  loop.for serial %i in 8 {
    loop.block "P" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%T[%v : 1]) {
      %x = memref.load %A[%v] : memref<8xf32>
      memref.store %x, %T[%v] : memref<8xf32>
    }
  }
  loop.for serial %i in 8 {
    // expected-error @+1 {{reverse_compute_at: iter "v" of schedule block "C" is opaque, expected spatial (C3)}}
    loop.block "C" [%v: opaque 8] = (%i) reads(%T[%v : 1]) writes(%C[%v : 1]) {
      %x = memref.load %T[%v] : memref<8xf32>
      memref.store %x, %C[%v] : memref<8xf32>
    }
  }
  return
}

func.func @reverse_c4_no_producer(%A: memref<8xf32>, %C: memref<8xf32>)
    attributes {refused = "reverse_compute_at 'C' in %f loop 'P:i'"} {
  %T = loop.buffer "T" scope(global) : memref<8xf32>
  // expected-note @+1 {{the loop is here}}
    loop.for serial %i in 8 {
    loop.block "P" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%T[%v : 1]) {
      %x = memref.load %A[%v] : memref<8xf32>
      memref.store %x, %T[%v] : memref<8xf32>
    }
  }
  loop.for serial %i in 8 {
    // expected-note @+2 {{no loop is legal for reverse_compute_at}}
    // expected-error @+1 {{reverse_compute_at: schedule block "C" reads nothing that is written in loop "P:i" (C4)}}
    loop.block "C" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%C[%v : 1]) {
      %x = memref.load %A[%v] : memref<8xf32>
      memref.store %x, %C[%v] : memref<8xf32>
    }
  }
  return
}

func.func @reverse_c4_before(%A: memref<8xf32>, %C: memref<8xf32>)
    attributes {refused = "reverse_compute_at 'C' in %f loop 'P:i'"} {
  %T = loop.buffer "T" scope(global) : memref<8xf32>
  loop.for serial %i in 8 {
    // expected-note @+2 {{no loop is legal for reverse_compute_at}}
    // expected-error @+1 {{reverse_compute_at: schedule block "P", which writes what "C" reads, comes after it (C4)}}
    loop.block "C" [%v: spatial 8] = (%i) reads(%T[%v : 1]) writes(%C[%v : 1]) {
      %x = memref.load %T[%v] : memref<8xf32>
      memref.store %x, %C[%v] : memref<8xf32>
    }
  }
  loop.for serial %i in 8 {
    // expected-note @+1 {{it is here}}
    loop.block "P" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%T[%v : 1]) {
      %x = memref.load %A[%v] : memref<8xf32>
      memref.store %x, %T[%v] : memref<8xf32>
    }
  }
  return
}

func.func @reverse_c5_parallel(%A: memref<8xf32>, %C: memref<8xf32>)
    attributes {refused = "reverse_compute_at 'C' in %f loop 'P:i'"} {
  %T = loop.buffer "T" scope(global) : memref<8xf32>
  loop.for serial %i in 8 {
    loop.block "P" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%T[%v : 1]) {
      %x = memref.load %A[%v] : memref<8xf32>
      memref.store %x, %T[%v] : memref<8xf32>
    }
  }
  // expected-note @+2 {{no loop is legal for reverse_compute_at}}
    // expected-error @+1 {{reverse_compute_at: loop "i" is parallel, expected serial (C5)}}
    loop.for parallel %i in 8 {
    loop.block "C" [%v: spatial 8] = (%i) reads(%T[%v : 1]) writes(%C[%v : 1]) {
      %x = memref.load %T[%v] : memref<8xf32>
      memref.store %x, %C[%v] : memref<8xf32>
    }
  }
  return
}

func.func @reverse_c6_same_cell(%A: memref<8xf32>, %C: memref<8xf32>)
    attributes {refused = "reverse_compute_at 'C' in %f loop 'P:i'"} {
  %T = loop.buffer "T" scope(global) : memref<8xf32>
  loop.for serial %i in 8 {
    loop.block "P" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%T[%v : 1]) {
      %x = memref.load %A[%v] : memref<8xf32>
      memref.store %x, %T[%v] : memref<8xf32>
    }
  }
  loop.for serial %i in 8 {
    // expected-note @+2 {{no loop is legal for reverse_compute_at}}
    // expected-error @+1 {{reverse_compute_at: cannot prove that the instances of schedule block "C" write different cells of "arg1": its indices are not proved to be injective in all its iters; proof "assume" takes it as true (C6)}}
    loop.block "C" [%v: spatial 8] = (%i) reads(%T[%v : 1]) writes(%C[0 : 1]) {
      %c0 = arith.constant 0 : index
      %x = memref.load %T[%v] : memref<8xf32>
      memref.store %x, %C[%c0] : memref<8xf32>
    }
  }
  return
}

func.func @reverse_c6_own_result(%A: memref<8xf32>, %C: memref<8xf32>)
    attributes {refused = "reverse_compute_at 'C' in %f loop 'P:i'"} {
  %T = loop.buffer "T" scope(global) : memref<8xf32>
  loop.for serial %i in 8 {
    loop.block "P" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%T[%v : 1]) {
      %x = memref.load %A[%v] : memref<8xf32>
      memref.store %x, %T[%v] : memref<8xf32>
    }
  }
  loop.for serial %i in 8 {
    // expected-note @+2 {{no loop is legal for reverse_compute_at}}
    // expected-error @+1 {{reverse_compute_at: schedule block "C" reads "arg1", which it writes: at other indices than it writes; proof "assume" takes it as true (C6)}}
    loop.block "C" [%v: spatial 8] = (%i) reads(%T[%v : 1], %C[0 : 1]) writes(%C[%v : 1]) {
      %x = memref.load %T[%v] : memref<8xf32>
      %c0 = arith.constant 0 : index
      %y = memref.load %C[%c0] : memref<8xf32>
      memref.store %y, %C[%v] : memref<8xf32>
    }
  }
  return
}

func.func @reverse_c6_ordered(%A: memref<8xf32>, %C: memref<8xf32>)
    attributes {refused = "reverse_compute_at 'C' in %f loop 'P:o'"} {
  %T = loop.buffer "T" scope(global) : memref<8xf32>
  loop.for serial %o in 1 { loop.for serial %i in 8 {
    loop.block "P" [%v: spatial 8] = (%o * 8 + %i) reads(%A[%v : 1]) writes(%T[%v : 1]) {
      %x = memref.load %A[%v] : memref<8xf32>
      memref.store %x, %T[%v] : memref<8xf32>
    }
  } }
  loop.for serial %i in 2 {
  loop.for serial %a in 2 {
  loop.for serial %b in 2 {
    // expected-note @+2 {{no loop is legal for reverse_compute_at}}
    // expected-error @+1 {{reverse_compute_at: schedule block "C" has updates whose order matters: its reducer is ordered; proof "assume" takes it as true (C6)}}
    loop.block "C" [%v: spatial 2, %vk: reduce 4] = (%i, %a + %b * 2) reads(%T[%v * 4 + %vk : 1]) writes(%C[%v : 1]) reducer(ordered) {
      loop.init {
        %zero = arith.constant 0.0 : f32
        memref.store %zero, %C[%v] : memref<8xf32>
      }
      %at = affine.apply affine_map<(d0, d1) -> (d0 * 4 + d1)>(%v, %vk)
      %t = memref.load %T[%at] : memref<8xf32>
      %c = memref.load %C[%v] : memref<8xf32>
      %s = arith.subf %t, %c : f32
      memref.store %s, %C[%v] : memref<8xf32>
    }
  }
  }
  }
  return
}

func.func @reverse_c7_repeated(%A: memref<8xf32>, %C: memref<8xf32>)
    attributes {refused = "reverse_compute_at 'C' in %f loop 'P:r'"} {
  %T = loop.buffer "T" scope(global) : memref<8xf32>
  loop.for serial %r in 2 {
  loop.for serial %i in 8 {
    loop.block "P" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%T[%v : 1]) {
      %x = memref.load %A[%v] : memref<8xf32>
      memref.store %x, %T[%v] : memref<8xf32>
    }
  }
  }
  loop.for serial %i in 8 {
    // expected-note @+2 {{no loop is legal for reverse_compute_at}}
    // expected-error @+1 {{reverse_compute_at: cannot prove that the iterations of loop "r" are different instances of schedule block "C": its bindings are not proved to be injective in the loop; proof "assume" takes it as true (C7)}}
    loop.block "C" [%v: spatial 8] = (%i) reads(%T[%v : 1]) writes(%C[%v : 1]) {
      %x = memref.load %T[%v] : memref<8xf32>
      memref.store %x, %C[%v] : memref<8xf32>
    }
  }
  return
}

func.func @reverse_c7_part(%A: memref<8xf32>, %C: memref<8xf32>)
    attributes {refused = "reverse_compute_at 'C' in %f loop 'P:i'"} {
  %T = loop.buffer "T" scope(global) : memref<8xf32>
  loop.for serial %i in 8 {
    loop.block "P" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%T[%v : 1]) {
      %x = memref.load %A[%v] : memref<8xf32>
      memref.store %x, %T[%v] : memref<8xf32>
    }
  }
  loop.for serial %i in 7 {
    // expected-note @+2 {{no loop is legal for reverse_compute_at}}
    // expected-error @+1 {{reverse_compute_at: cannot prove that schedule block "C" would run for the same values of iter "v" as now: its loops are not proved to cover the same values; proof "assume" takes it as true (C7)}}
    loop.block "C" [%v: spatial 8] = (%i) reads(%T[%v : 1]) writes(%C[%v : 1]) {
      %x = memref.load %T[%v] : memref<8xf32>
      memref.store %x, %C[%v] : memref<8xf32>
    }
  }
  return
}

func.func @reverse_c8_not_yet(%A: memref<8xf32>, %C: memref<8xf32>)
    attributes {refused = "reverse_compute_at 'C' in %f loop 'P:i'"} {
  %T = loop.buffer "T" scope(global) : memref<8xf32>
  loop.for serial %i in 8 {
    // expected-note @+1 {{the writer is here}}
    loop.block "P" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%T[%v : 1]) {
      %x = memref.load %A[%v] : memref<8xf32>
      memref.store %x, %T[%v] : memref<8xf32>
    }
  }
  loop.for serial %i in 8 {
    // expected-note @+2 {{no loop is legal for reverse_compute_at}}
    // expected-error @+1 {{reverse_compute_at: cannot prove that schedule block "P" has written what "C" would read of "T" in the same iteration, and does not change it later: other iterations may write there too, or some of it is not written; proof "assume" takes it as true (C8)}}
    loop.block "C" [%v: spatial 8] = (%i) reads(%T[*]) writes(%C[%v : 1]) {
      %x = memref.load %T[%v] : memref<8xf32>
      %b = affine.apply affine_map<(d0) -> (7 - d0)>(%v)
      %y = memref.load %T[%b] : memref<8xf32>
      memref.store %x, %C[%v] : memref<8xf32>
    }
  }
  return
}

func.func @reverse_c9_passes(%A: memref<8xf32>, %C: memref<8xf32>)
    attributes {refused = "reverse_compute_at 'C' in %f loop 'P:i'"} {
  %T = loop.buffer "T" scope(global) : memref<8xf32>
  loop.for serial %i in 8 {
    loop.block "P" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%T[%v : 1]) {
      %x = memref.load %A[%v] : memref<8xf32>
      memref.store %x, %T[%v] : memref<8xf32>
    }
  }
  loop.for serial %i in 8 {
    // expected-note @+1 {{it is here}}
    loop.block "W" [%v: spatial 8] = (%i) reads(%C[%v : 1]) writes(%A[%v : 1]) {
      %x = memref.load %C[%v] : memref<8xf32>
      memref.store %x, %A[%v] : memref<8xf32>
    }
  }
  loop.for serial %i in 8 {
    // expected-note @+2 {{no loop is legal for reverse_compute_at}}
    // expected-error @+1 {{reverse_compute_at: schedule block "C" would move past schedule block "W": iteration i = 0 of "W" (reads) and iteration i = 0 of "C" (writes) both access "arg1"[0] (C9)}}
    loop.block "C" [%v: spatial 8] = (%i) reads(%T[%v : 1]) writes(%C[%v : 1]) {
      %x = memref.load %T[%v] : memref<8xf32>
      memref.store %x, %C[%v] : memref<8xf32>
    }
  }
  return
}

func.func private @g_2()
func.func @reverse_c9_call(%A: memref<8xf32>, %C: memref<8xf32>)
    attributes {refused = "reverse_compute_at 'C' in %f loop 'P:i'"} {
  %T = loop.buffer "T" scope(global) : memref<8xf32>
  loop.for serial %i in 8 {
    loop.block "P" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%T[%v : 1]) {
      %x = memref.load %A[%v] : memref<8xf32>
      memref.store %x, %T[%v] : memref<8xf32>
    }
  }
  // expected-note @+1 {{it is here}}
  func.call @g_2() : () -> ()
  loop.for serial %i in 8 {
    // expected-note @+2 {{no loop is legal for reverse_compute_at}}
    // expected-error @+1 {{reverse_compute_at: schedule block "C" would move past 'func.call': its effects are not known; proof "assume" takes it as true (C9)}}
    loop.block "C" [%v: spatial 8] = (%i) reads(%T[%v : 1]) writes(%C[%v : 1]) {
      %x = memref.load %T[%v] : memref<8xf32>
      memref.store %x, %C[%v] : memref<8xf32>
    }
  }
  return
}

func.func @reverse_c10_private(%A: memref<8xf32>, %C: memref<8xf32>)
    attributes {refused = "reverse_compute_at 'C' in %f loop 'P:i'"} {
  %T = loop.buffer "T" scope(global) : memref<8xf32>
  %S = loop.buffer "S" scope(local) : memref<8xf32>
  loop.for parallel %i in 8 {
    loop.block "P" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%T[%v : 1]) {
      %x = memref.load %A[%v] : memref<8xf32>
      memref.store %x, %T[%v] : memref<8xf32>
    }
  }
  loop.for serial %i in 8 {
    // expected-note @+2 {{no loop is legal for reverse_compute_at}}
    // expected-error @+1 {{reverse_compute_at: schedule block "C" accesses "S" of scope local: each iteration would have its own: the loops that own it would change; proof "assume" takes it as true (C10)}}
    loop.block "C" [%v: spatial 8] = (%i) reads(%T[%v : 1], %S[%v : 1]) writes(%C[%v : 1]) {
      %x = memref.load %T[%v] : memref<8xf32>
      %y = memref.load %S[%v] : memref<8xf32>
      memref.store %x, %C[%v] : memref<8xf32>
    }
  }
  return
}

func.func @reverse_c11_threads(%A: memref<8xf32>, %C: memref<8xf32>)
    attributes {refused = "reverse_compute_at 'C' in %f loop 'P:o'"} {
  %T = loop.buffer "T" scope(global) : memref<8xf32>
  loop.for serial %o in 2 {
  loop.for thread_bind[threadIdx.x] %i in 4 {
    loop.block "P" [%v: spatial 8] = (%o * 4 + %i) reads(%A[%v : 1]) writes(%T[%v : 1]) {
      %x = memref.load %A[%v] : memref<8xf32>
      memref.store %x, %T[%v] : memref<8xf32>
    }
  }
  }
  loop.for serial %i in 8 {
    // expected-note @+2 {{legal loops for reverse_compute_at: P:i}}
    // expected-error @+1 {{reverse_compute_at: cannot prove that schedule blocks "C" and "P", which share "T", would run in the same threads: their thread axes differ, or one reads what other threads have written; proof "assume" takes it as true (C11)}}
    loop.block "C" [%v: spatial 8] = (%i) reads(%T[%v : 1]) writes(%C[%v : 1]) {
      %x = memref.load %T[%v] : memref<8xf32>
      memref.store %x, %C[%v] : memref<8xf32>
    }
  }
  return
}

// An empty sum has its start values too.
// The condition is on a loop that no iter is bound to.
func.func @reverse_compute_at_c7_condition(%A: memref<8xf32>, %C: memref<8xf32>)
    attributes {refused = "reverse_compute_at 'R' in %f loop 'P:i' proof 'assume'"} {
  %T = loop.buffer "T" scope(global) : memref<8xf32>
  loop.for serial %i in 8 {
    loop.block "P" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%T[%v : 1]) {
      %a = memref.load %A[%v] : memref<8xf32>
      memref.store %a, %T[%v] : memref<8xf32>
    }
  }
  loop.for serial %i in 8 {
    loop.for serial %j in 2 {
      // expected-note @+2 {{no loop is legal for reverse_compute_at}}
      // expected-error @+1 {{reverse_compute_at: schedule block "R" runs only where 0 < i + j, which no predicate over its iters states: the condition would be lost at other loops (C7)}}
      loop.block "R" [%v: spatial 8] = (%i) where(%i + %j - 1 >= 0) reads(%T[%v : 1]) writes(%C[%v : 1]) {
        %t = memref.load %T[%v] : memref<8xf32>
        memref.store %t, %C[%v] : memref<8xf32>
      }
    }
  }
  return
}

// No predicate states that an equality does not hold.
func.func @reverse_compute_at_c7_else(%n: index, %A: memref<?xf32>, %C: memref<?xf32>)
    attributes {refused = "reverse_compute_at 'R' in %f loop 'P:i' proof 'assume'"} {
  %T = loop.buffer "T" scope(global) (%n) : memref<?xf32>
  loop.for serial %i in %n {
    loop.block "P" [%v: spatial %n] = (%i) reads(%A[%v : 1]) writes(%T[%v : 1]) {
      %a = memref.load %A[%v] : memref<?xf32>
      memref.store %a, %T[%v] : memref<?xf32>
    }
  }
  loop.if (symbol(%n) - 8 == 0) {
  } else {
    loop.for serial %i in %n {
      // expected-note @+2 {{no loop is legal for reverse_compute_at}}
      // expected-error @+1 {{reverse_compute_at: schedule block "R" runs only where not (8 == arg0), which no predicate over its iters states: the condition would be lost at other loops (C7)}}
      loop.block "R" [%v: spatial %n] = (%i) reads(%T[%v : 1]) writes(%C[%v : 1]) {
        %t = memref.load %T[%v] : memref<?xf32>
        memref.store %t, %C[%v] : memref<?xf32>
      }
    }
  }
  return
}

func.func @reverse_compute_at_c8_start_values(%n: index, %A: memref<4x?xf32>, %B: memref<4xf32>)
    attributes {refused = "reverse_compute_at 'R' in %f loop 'U:k'"} {
  %U = loop.buffer "U" scope(global) (%n) : memref<4x?xf32>
  %T = loop.buffer "T" scope(global) : memref<4xf32>
  loop.for serial %k in %n {
    loop.for serial %i in 4 {
      loop.block "T" [%v: spatial 4] = (%i) where(%k == 0) writes(%T[%v : 1]) {
        %c = arith.constant 1.0 : f32
        memref.store %c, %T[%v] : memref<4xf32>
      }
    }
    loop.for serial %j in 4 {
      loop.block "U" [%v: spatial 4, %w: spatial %n] = (%j, %k) reads(%A[%v : 1, %w : 1]) writes(%U[%v : 1, %w : 1]) {
        %a = memref.load %A[%v, %w] : memref<4x?xf32>
        memref.store %a, %U[%v, %w] : memref<4x?xf32>
      }
    }
  }
  loop.for serial %k in %n {
    loop.for serial %i in 4 {
      // expected-note @+2 {{no loop is legal for reverse_compute_at}}
      // expected-error @+1 {{reverse_compute_at: the start values of schedule block "R" read "T", which "T" would write in loop "k", over which "R" reduces and which may not run (C8)}}
      loop.block "R" [%v: spatial 4, %vk: reduce %n] = (%i, %k) reads(%U[%v : 1, %vk : 1], %T[%v : 1]) writes(%B[%v : 1]) reducer(add, 0.0) {
        loop.init {
          %t = memref.load %T[%v] : memref<4xf32>
          memref.store %t, %B[%v] : memref<4xf32>
        }
        %b = memref.load %B[%v] : memref<4xf32>
        %a = memref.load %U[%v, %vk] : memref<4x?xf32>
        %s = arith.addf %b, %a : f32
        memref.store %s, %B[%v] : memref<4xf32>
      }
    }
  }
  return
}

// The iterations of a parallel loop would add to one element concurrently.
func.func @reverse_c10_race(%A: memref<8xi32>, %C: memref<i32>)
    attributes {refused = "reverse_compute_at 'C' in %f loop 'P:i'"} {
  %T = loop.buffer "T" scope(global) : memref<8xi32>
  loop.for parallel %i in 8 {
    loop.block "P" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%T[%v : 1]) {
      %x = memref.load %A[%v] : memref<8xi32>
      memref.store %x, %T[%v] : memref<8xi32>
    }
  }
  loop.for serial %i in 8 {
    // expected-note @+2 {{no loop is legal for reverse_compute_at}}
    // expected-error @+1 {{reverse_compute_at: cannot prove that the iterations of parallel loop "i" would write different cells of "arg1" in schedule block "C": make the loop serial, or give each iteration a buffer of its own (scope local): iteration i = 5 of "C" (writes) and iteration i = 6 of "C" (writes) both access "arg1"[] (C10)}}
    loop.block "C" [%v: reduce 8] = (%i) reads(%T[%v : 1], %C[]) writes(%C[]) reducer(add, 0) {
      %x = memref.load %T[%v] : memref<8xi32>
      %y = memref.load %C[] : memref<i32>
      %z = arith.addi %y, %x : i32
      memref.store %z, %C[] : memref<i32>
    }
  }
  return
}

// "C" adds 3 times, and would add once.
func.func @reverse_c7_ran_several_times(%A: memref<8xi32>, %C: memref<8xi32>)
    attributes {refused = "reverse_compute_at 'C' in %f loop 'P:i'"} {
  %T = loop.buffer "T" scope(global) : memref<8xi32>
  loop.for serial %i in 8 {
    loop.block "P" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%T[%v : 1]) {
      %x = memref.load %A[%v] : memref<8xi32>
      memref.store %x, %T[%v] : memref<8xi32>
    }
  }
  loop.for serial %again in 3 {
    loop.for serial %i in 8 {
      // expected-note @+2 {{no loop is legal for reverse_compute_at}}
      // expected-error @+1 {{reverse_compute_at: cannot prove that the iterations of loop "again" are different instances of schedule block "C"}}
      loop.block "C" [%v: spatial 8] = (%i) reads(%T[%v : 1], %C[%v : 1]) writes(%C[%v : 1]) {
        %x = memref.load %T[%v] : memref<8xi32>
        %y = memref.load %C[%v] : memref<8xi32>
        %z = arith.addi %y, %x : i32
        memref.store %z, %C[%v] : memref<8xi32>
      }
    }
  }
  return
}

// The block around the producer runs under a condition: only some of what is read was written.
func.func @reverse_compute_at_c7_condition_around(%A: memref<32xf32>, %C: memref<32xf32>)
    attributes {refused = "reverse_compute_at 'C' in %f loop 'P_o:i.0'"} {
  %T = loop.buffer "T" scope(global) : memref<32xf32>
  loop.for serial %i.0 in 4 {
    loop.for serial %i.1 in 2 {
      loop.block "P_o" [%o: spatial 8] = (%i.0 * 2 + %i.1) where(%i.0 * 2 + %i.1 < 7) reads(%A[%o * 4 : 4]) writes(%T[%o * 4 : 4]) {
        loop.for serial %i.2 in 4 {
          loop.block "P" [%v: spatial 32] = (%i.2 + %o * 4) reads(%A[%v : 1]) writes(%T[%v : 1]) {
            %a = memref.load %A[%v] : memref<32xf32>
            memref.store %a, %T[%v] : memref<32xf32>
          }
        }
      }
    }
  }
  loop.for serial %i in 32 {
    // expected-note @+2 {{no loop is legal for reverse_compute_at}}
    // expected-error @+1 {{reverse_compute_at: cannot prove that the iterations of loop "i.0" are different instances of schedule block "C": its bindings are not proved to be injective in the loop; proof "assume" takes it as true (C7)}}
    loop.block "C" [%v: spatial 32] = (%i) reads(%T[%v : 1]) writes(%C[%v : 1]) {
      %t = memref.load %T[%v] : memref<32xf32>
      %c = arith.negf %t : f32
      memref.store %c, %C[%v] : memref<32xf32>
    }
  }
  return
}
