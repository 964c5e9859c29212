// RUN: lw-opt %s -verify-diagnostics --sched-expect-refusal

// expected-error @+1 {{reverse_compute_inline: there is no schedule block "C", there are none: --convert-linalg-to-loop makes schedule blocks of linalg ops (C1)}}
func.func @back_c1_no_block(%A: memref<8xf32>, %C: memref<8xf32>)
    attributes {refused = "reverse_compute_inline 'C' in %f"} {
  return
}

func.func @back_c2_reduction(%A: memref<8xf32>, %C: memref<8xf32>)
    attributes {refused = "reverse_compute_inline 'C' in %f"} {
  %T = loop.buffer "T" scope(global) : memref<8xf32>
  loop.for serial %i in 8 {
    loop.block "P" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%T[%v : 1]) {
      %x = memref.load %A[%v] : memref<8xf32>
      memref.store %x, %T[%v] : memref<8xf32>
    }
  }
  loop.for serial %i in 8 {
    // expected-error @+1 {{reverse_compute_inline: iter "k" of schedule block "C" is reduce, expected spatial (C2)}}
    loop.block "C" [%v: spatial 8, %k: reduce 1] = (%i, 0) reads(%T[%v : 1]) writes(%C[%v : 1]) {
      %x = memref.load %T[%v] : memref<8xf32>
      memref.store %x, %C[%v] : memref<8xf32>
    }
  }
  return
}

func.func @back_c2_own_result(%A: memref<8xf32>, %C: memref<8xf32>)
    attributes {refused = "reverse_compute_inline 'C' in %f"} {
  %T = loop.buffer "T" scope(global) : memref<8xf32>
  loop.for serial %i in 8 {
    loop.block "P" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%T[%v : 1]) {
      %x = memref.load %A[%v] : memref<8xf32>
      memref.store %x, %T[%v] : memref<8xf32>
    }
  }
  loop.for serial %i in 8 {
    // expected-error @+1 {{reverse_compute_inline: schedule block "C" reads "arg1", which it writes (C2)}}
    loop.block "C" [%v: spatial 8] = (%i) reads(%T[%v : 1], %C[%v : 1]) writes(%C[%v : 1]) {
      %x = memref.load %T[%v] : memref<8xf32>
      %y = memref.load %C[%v] : memref<8xf32>
      memref.store %x, %C[%v] : memref<8xf32>
    }
  }
  return
}

func.func @back_c3_no_producer(%A: memref<8xf32>, %C: memref<8xf32>)
    attributes {refused = "reverse_compute_inline 'C' in %f"} {
  loop.for serial %i in 8 {
    // expected-error @+1 {{reverse_compute_inline: schedule block "C" has 0 producers of buffers that nothing else reads, expected one (C3)}}
    loop.block "C" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%C[%v : 1]) {
      %x = memref.load %A[%v] : memref<8xf32>
      memref.store %x, %C[%v] : memref<8xf32>
    }
  }
  return
}

func.func @back_c3_other_reader(%A: memref<8xf32>, %C: memref<8xf32>)
    attributes {refused = "reverse_compute_inline 'C' in %f"} {
  %T = loop.buffer "T" scope(global) : memref<8xf32>
  loop.for serial %i in 8 {
    loop.block "P" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%T[%v : 1]) {
      %x = memref.load %A[%v] : memref<8xf32>
      memref.store %x, %T[%v] : memref<8xf32>
    }
  }
  loop.for serial %i in 8 {
    // expected-error @+1 {{reverse_compute_inline: schedule block "C" has 0 producers of buffers that nothing else reads, expected one (C3)}}
    loop.block "C" [%v: spatial 8] = (%i) reads(%T[%v : 1]) writes(%C[%v : 1]) {
      %x = memref.load %T[%v] : memref<8xf32>
      memref.store %x, %C[%v] : memref<8xf32>
    }
  }
  loop.for serial %i in 8 {
    loop.block "S" [%v: spatial 8] = (%i) reads(%T[%v : 1]) writes(%A[%v : 1]) {
      %x = memref.load %T[%v] : memref<8xf32>
      memref.store %x, %A[%v] : memref<8xf32>
    }
  }
  return
}

func.func @back_c3_two_producers(%A: memref<8xf32>, %C: memref<8xf32>)
    attributes {refused = "reverse_compute_inline 'C' in %f"} {
  %T = loop.buffer "T" scope(global) : memref<8xf32>
  loop.for serial %i in 8 {
    // expected-note @+1 {{one is here}}
    loop.block "P" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%T[%v : 1]) {
      %x = memref.load %A[%v] : memref<8xf32>
      memref.store %x, %T[%v] : memref<8xf32>
    }
  }
  loop.for serial %i in 8 {
    // expected-note @+1 {{one is here}}
    loop.block "Q" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%T[%v : 1]) {
      %x = memref.load %A[%v] : memref<8xf32>
      memref.store %x, %T[%v] : memref<8xf32>
    }
  }
  loop.for serial %i in 8 {
    // expected-error @+1 {{reverse_compute_inline: schedule block "C" has 2 producers of buffers that nothing else reads, expected one (C3)}}
    loop.block "C" [%v: spatial 8] = (%i) reads(%T[%v : 1]) writes(%C[%v : 1]) {
      %x = memref.load %T[%v] : memref<8xf32>
      memref.store %x, %C[%v] : memref<8xf32>
    }
  }
  return
}

func.func private @g(memref<8xf32>)
func.func @back_c3_escapes(%A: memref<8xf32>, %C: memref<8xf32>)
    attributes {refused = "reverse_compute_inline 'C' in %f"} {
  %T = loop.buffer "T" scope(global) : memref<8xf32>
  loop.for serial %i in 8 {
    // expected-error @+1 {{reverse_compute_inline: something other than schedule blocks uses "T" (C3)}}
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
  func.call @g(%T) : (memref<8xf32>) -> ()
  return
}

func.func @back_c4_not_plain(%A: memref<8xf32>, %C: memref<8xf32>)
    attributes {refused = "reverse_compute_inline 'C' in %f"} {
  %T = loop.buffer "T" scope(global) : memref<8xf32>
  loop.for serial %i in 8 {
    loop.block "P" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%T[%v : 1]) {
      %x = memref.load %A[%v] : memref<8xf32>
      memref.store %x, %T[%v] : memref<8xf32>
    }
  }
  loop.for serial %i in 8 {
    // expected-error @+1 {{reverse_compute_inline: schedule block "C" does not use its iters as indices, each once (C4)}}
    loop.block "C" [%v: spatial 8] = (%i) reads(%T[-%v + 7 : 1]) writes(%C[%v : 1]) {
      %b = affine.apply affine_map<(d0) -> (7 - d0)>(%v)
      %x = memref.load %T[%b] : memref<8xf32>
      memref.store %x, %C[%v] : memref<8xf32>
    }
  }
  return
}

func.func @back_c5_reduction(%A: memref<8xf32>, %C: memref<8xf32>)
    attributes {refused = "reverse_compute_inline 'C' in %f"} {
  %T = loop.buffer "T" scope(global) : memref<8xf32>
  loop.for serial %i in 8 {
    // expected-error @+1 {{reverse_compute_inline: iter "k" of schedule block "P" is reduce, expected spatial (C5)}}
    loop.block "P" [%v: spatial 8, %k: reduce 1] = (%i, 0) reads(%A[%v : 1]) writes(%T[%v : 1]) {
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

func.func @back_c5_comes_after(%A: memref<8xf32>, %C: memref<8xf32>)
    attributes {refused = "reverse_compute_inline 'C' in %f"} {
  %T = loop.buffer "T" scope(global) : memref<8xf32>
  loop.for serial %i in 8 {
    // expected-error @+1 {{reverse_compute_inline: schedule block "P", which writes what "C" reads, comes after it (C5)}}
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

func.func @back_c5_own_result(%A: memref<8xf32>, %C: memref<8xf32>)
    attributes {refused = "reverse_compute_inline 'C' in %f"} {
  %T = loop.buffer "T" scope(global) : memref<8xf32>
  loop.for serial %i in 8 {
    // expected-error @+1 {{reverse_compute_inline: schedule block "P" reads "T", which it writes (C5)}}
    loop.block "P" [%v: spatial 8] = (%i) reads(%T[%v : 1]) writes(%T[%v : 1]) {
      %x = memref.load %T[%v] : memref<8xf32>
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

func.func @back_c5_store_in_if(%A: memref<8xf32>, %C: memref<8xf32>)
    attributes {refused = "reverse_compute_inline 'C' in %f"} {
  %T = loop.buffer "T" scope(global) : memref<8xf32>
  loop.for serial %i in 8 {
    // expected-error @+1 {{reverse_compute_inline: schedule block "P" has its store in a 'loop.if' (C5)}}
    loop.block "P" [%v: spatial 8] = (%i) writes(%T[%v : 1]) {
      loop.if (%v >= 0) {
        %x = arith.constant 1.0 : f32
        memref.store %x, %T[%v] : memref<8xf32>
      }
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

func.func @back_c6_not_plain(%A: memref<8xf32>, %C: memref<8xf32>)
    attributes {refused = "reverse_compute_inline 'C' in %f"} {
  %T = loop.buffer "T" scope(global) : memref<8xf32>
  loop.for serial %i in 8 {
    // expected-error @+1 {{reverse_compute_inline: schedule block "P" does not use its iters as indices, each once (C6)}}
    loop.block "P" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%T[-%v + 7 : 1]) {
      %x = memref.load %A[%v] : memref<8xf32>
      %b = affine.apply affine_map<(d0) -> (7 - d0)>(%v)
      memref.store %x, %T[%b] : memref<8xf32>
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

func.func @back_c7_part(%A: memref<8xf32>, %C: memref<8xf32>)
    attributes {refused = "reverse_compute_inline 'C' in %f"} {
  %T = loop.buffer "T" scope(global) : memref<8xf32>
  loop.for serial %i in 8 {
    loop.block "P" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%T[%v : 1]) {
      %x = memref.load %A[%v] : memref<8xf32>
      memref.store %x, %T[%v] : memref<8xf32>
    }
  }
  loop.for serial %i in 7 {
    // expected-error @+1 {{reverse_compute_inline: schedule block "C" does not run for its whole domain: its loops are not proved to cover all values, each once; proof "assume" takes it as true (C7)}}
    loop.block "C" [%v: spatial 8] = (%i) reads(%T[%v : 1]) writes(%C[%v : 1]) {
      %x = memref.load %T[%v] : memref<8xf32>
      memref.store %x, %C[%v] : memref<8xf32>
    }
  }
  return
}

func.func @back_c7_producer_part(%A: memref<8xf32>, %C: memref<8xf32>)
    attributes {refused = "reverse_compute_inline 'C' in %f"} {
  %T = loop.buffer "T" scope(global) : memref<8xf32>
  loop.for serial %i in 7 {
    // expected-error @+1 {{reverse_compute_inline: schedule block "P" does not run for its whole domain: its loops are not proved to cover all values, each once; proof "assume" takes it as true (C7)}}
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

func.func @back_c8_passes(%A: memref<8xf32>, %C: memref<8xf32>)
    attributes {refused = "reverse_compute_inline 'C' in %f"} {
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
    // expected-error @+1 {{reverse_compute_inline: schedule block "C" would move past schedule block "W": iteration i = 0 of "W" (reads) and iteration i = 0 of "C" (writes) both access "arg1"[0] (C8)}}
    loop.block "C" [%v: spatial 8] = (%i) reads(%T[%v : 1]) writes(%C[%v : 1]) {
      %x = memref.load %T[%v] : memref<8xf32>
      memref.store %x, %C[%v] : memref<8xf32>
    }
  }
  return
}

func.func @back_c9_private(%A: memref<8xf32>, %C: memref<8xf32>)
    attributes {refused = "reverse_compute_inline 'C' in %f"} {
  %T = loop.buffer "T" scope(global) : memref<8xf32>
  %S = loop.buffer "S" scope(local) : memref<8xf32>
  loop.for parallel %i in 8 {
    loop.block "P" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%T[%v : 1]) {
      %x = memref.load %A[%v] : memref<8xf32>
      memref.store %x, %T[%v] : memref<8xf32>
    }
  }
  loop.for serial %i in 8 {
    // expected-error @+1 {{reverse_compute_inline: schedule block "C" accesses "S" of scope local: each iteration would have its own: the loops that own it would change; proof "assume" takes it as true (C9)}}
    loop.block "C" [%v: spatial 8] = (%i) reads(%T[%v : 1], %S[%v : 1]) writes(%C[%v : 1]) {
      %x = memref.load %T[%v] : memref<8xf32>
      %y = memref.load %S[%v] : memref<8xf32>
      memref.store %x, %C[%v] : memref<8xf32>
    }
  }
  return
}

func.func @back_c9_scope(%A: memref<8xf32>, %C: memref<8xf32>)
    attributes {refused = "reverse_compute_inline 'C' in %f"} {
  %T = loop.buffer "T" scope(global) : memref<8xf32>
  loop.block "N" [] = () reads(%A[0 : 8]) writes(%T[0 : 8]) {
  loop.for serial %i in 8 {
    // expected-note @+1 {{the producer is here}}
    loop.block "P" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%T[%v : 1]) {
      %x = memref.load %A[%v] : memref<8xf32>
      memref.store %x, %T[%v] : memref<8xf32>
    }
  }
  }
  loop.for serial %i in 8 {
    // expected-error @+1 {{reverse_compute_inline: schedule block "P" and schedule block "C" are not in the same schedule block (C9)}}
    loop.block "C" [%v: spatial 8] = (%i) reads(%T[%v : 1]) writes(%C[%v : 1]) {
      %x = memref.load %T[%v] : memref<8xf32>
      memref.store %x, %C[%v] : memref<8xf32>
    }
  }
  return
}

func.func @back_c9_same_cells(%A: memref<8xf32>, %C: memref<4xf32>)
    attributes {refused = "reverse_compute_inline 'C' in %f"} {
  %T = loop.buffer "T" scope(global) : memref<8xf32>
  loop.for serial %i in 8 {
    loop.block "P" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%T[%v : 1]) {
      %x = memref.load %A[%v] : memref<8xf32>
      memref.store %x, %T[%v] : memref<8xf32>
    }
  }
  loop.for serial %i in 8 {
    // expected-error @+1 {{reverse_compute_inline: cannot prove that the instances of schedule block "C" write different cells of "arg1": its indices are not proved to be injective in all its iters; proof "assume" takes it as true (C9)}}
    loop.block "C" [%v: spatial 8] = (%i) reads(%T[%v : 1]) writes(%C[%v floordiv 2 : 1]) {
      %x = memref.load %T[%v] : memref<8xf32>
      %at = affine.apply affine_map<(d0) -> (d0 floordiv 2)>(%v)
      memref.store %x, %C[%at] : memref<4xf32>
    }
  }
  return
}

// A refuted condition cannot be assumed.
func.func @back_c9_race(%A: memref<8xf32>, %C: memref<8xf32>)
    attributes {refused = "reverse_compute_inline 'C' in %f proof 'assume'"} {
  %T = loop.buffer "T" scope(global) : memref<8xf32>
  loop.for parallel %i in 16 {
    loop.block "P" [%v: spatial 8] = (%i floordiv 2) reads(%A[%v : 1]) writes(%T[%v : 1]) {
      %x = memref.load %A[%v] : memref<8xf32>
      memref.store %x, %T[%v] : memref<8xf32>
    }
  }
  loop.for serial %i in 8 {
    // expected-error @+1 {{reverse_compute_inline: cannot prove that the iterations of parallel loop "i" would write different cells of "arg1" in schedule block "C": make the loop serial, or give each iteration a buffer of its own (scope local): iteration i = 0 of "C" (writes) and iteration i = 1 of "C" (writes) both access "arg1"[0] (C9)}}
    loop.block "C" [%v: spatial 8] = (%i) reads(%T[%v : 1]) writes(%C[%v : 1]) {
      %x = memref.load %T[%v] : memref<8xf32>
      memref.store %x, %C[%v] : memref<8xf32>
    }
  }
  return
}

func.func @back_c9_threads(%A: memref<8xf32>, %B: memref<8xf32>, %C: memref<8xf32>)
    attributes {refused = "reverse_compute_inline 'C' in %f"} {
  %T = loop.buffer "T" scope(global) : memref<8xf32>
  loop.for thread_bind[threadIdx.x] %i in 8 {
    loop.block "Q" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%B[%v : 1]) {
      %x = memref.load %A[%v] : memref<8xf32>
      memref.store %x, %B[%v] : memref<8xf32>
    }
    loop.block "P" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%T[%v : 1]) {
      %x = memref.load %A[%v] : memref<8xf32>
      memref.store %x, %T[%v] : memref<8xf32>
    }
  }
  loop.for serial %i in 8 {
    // expected-error @+1 {{reverse_compute_inline: cannot prove that schedule blocks "C" and "Q", which share "arg1", would run in the same threads: their thread axes differ, or one reads what other threads have written; proof "assume" takes it as true (C9)}}
    loop.block "C" [%v: spatial 8] = (%i) reads(%T[%v : 1], %B[%v : 1]) writes(%C[%v : 1]) {
      %x = memref.load %T[%v] : memref<8xf32>
      %y = memref.load %B[%v] : memref<8xf32>
      %z = arith.addf %x, %y : f32
      memref.store %z, %C[%v] : memref<8xf32>
    }
  }
  return
}

func.func @back_c5_two_stores(%A: memref<8xf32>, %C: memref<8xf32>)
    attributes {refused = "reverse_compute_inline 'C' in %f"} {
  %T = loop.buffer "T" scope(global) : memref<8xf32>
  loop.for serial %i in 8 {
    // expected-error @+1 {{reverse_compute_inline: schedule block "P" has 2 stores, expected one (C5)}}
    loop.block "P" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%T[%v : 1]) {
      %x = memref.load %A[%v] : memref<8xf32>
      %y = arith.addf %x, %x : f32
      memref.store %y, %T[%v] : memref<8xf32>
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
