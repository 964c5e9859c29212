// RUN: lw-opt %s -verify-diagnostics --sched-expect-refusal

func.func @parallel_c1_no_loop() attributes {refused = "parallel 'B:k' in %f"} {
  loop.for serial %i in 4 {
    // expected-error @+1 {{parallel: there is no loop "k" around schedule block "B", there are "i" (C1)}}
    loop.block "B" [%v: spatial 4] = (%i) {}
  }
  return
}

func.func @parallel_c2_twice() attributes {refused = "parallel 'B:i' in %f"} {
  // expected-error @+1 {{parallel: loop "i" is unroll, expected serial (C2)}}
  loop.for unroll %i in 4 {
    loop.block "B" [%v: spatial 4] = (%i) {}
  }
  return
}

func.func @parallel_c3_unused(%A: memref<4xf32>) attributes {refused = "parallel 'B:i' in %f"} {
  loop.for serial %i in 4 {
    // expected-error @+1 {{parallel: schedule block "B" does not depend on loop "i": its iterations would repeat the same work concurrently: iteration i = 2 of "B" (writes) and iteration i = 3 of "B" (writes) both access "arg0"[0] (C3)}}
    loop.block "B" [%v: spatial 4] = (0) writes(%A[%v : 1]) {
      %c = arith.constant 1.0 : f32
      memref.store %c, %A[%v] : memref<4xf32>
    }
  }
  return
}

func.func @parallel_c3_reduction(%A: memref<2xf32>) attributes {refused = "parallel 'B:i' in %f"} {
  loop.for serial %j in 2 {
    loop.for serial %i in 4 {
      // expected-error @+1 {{parallel: iter "k" of schedule block "B" is reduce, expected spatial: iterations j = 0, i = 2 of "B" (writes) and iterations j = 0, i = 3 of "B" (writes) both access "arg0"[0] (C3)}}
      loop.block "B" [%u: spatial 2, %k: reduce 4] = (%j, %i) writes(%A[%u : 1]) {
        %c = arith.constant 1.0 : f32
        memref.store %c, %A[%u] : memref<2xf32>
      }
    }
  }
  return
}

func.func @parallel_c3_opaque(%A: memref<1xf32>) attributes {refused = "parallel 'B:i' in %f"} {
  loop.for serial %i in 4 {
    // expected-error @+1 {{parallel: iter "v" of schedule block "B" is opaque, expected spatial: iteration i = 2 of "B" (writes) and iteration i = 3 of "B" (writes) both access "arg0"[0] (C3)}}
    loop.block "B" [%v: opaque 4] = (%i) writes(%A[0 : 1]) {
      %c0 = arith.constant 0 : index
      %c = arith.constant 1.0 : f32
      memref.store %c, %A[%c0] : memref<1xf32>
    }
  }
  return
}

func.func @parallel_c3_not_injective(%A: memref<2xf32>) attributes {refused = "parallel 'B:i' in %f"} {
  loop.for serial %i in 4 {
    // expected-error @+1 {{parallel: cannot prove that the iterations of loop "i" are different instances of schedule block "B": iteration i = 2 of "B" (writes) and iteration i = 3 of "B" (writes) both access "arg0"[1] (C3)}}
    loop.block "B" [%v: spatial 2] = (%i floordiv 2) writes(%A[%v : 1]) {
      %c = arith.constant 1.0 : f32
      memref.store %c, %A[%v] : memref<2xf32>
    }
  }
  return
}

func.func @parallel_c3_overlap(%A: memref<17xf32>) attributes {refused = "parallel 'B:i' in %f"} {
  loop.for serial %i in 4 {
    loop.for serial %j in 5 {
      // expected-error @+1 {{parallel: cannot prove that the iterations of loop "i" are different instances of schedule block "B": iterations i = 0, j = 4 of "B" (writes) and iterations i = 1, j = 0 of "B" (writes) both access "arg0"[4] (C3)}}
      loop.block "B" [%v: spatial 17] = (%i * 4 + %j) writes(%A[%v : 1]) {
        %c = arith.constant 1.0 : f32
        memref.store %c, %A[%v] : memref<17xf32>
      }
    }
  }
  return
}

func.func @parallel_c3_one_cell(%A: memref<4xf32>) attributes {refused = "parallel 'B:i' in %f"} {
  loop.for serial %i in 4 {
    // expected-error @+1 {{parallel: cannot prove that the instances of schedule block "B" write different cells of "arg0": iteration i = 2 of "B" (writes) and iteration i = 3 of "B" (writes) both access "arg0"[1] (C3)}}
    loop.block "B" [%v: spatial 4] = (%i) writes(%A[%v floordiv 2 : 1]) {
      %half = affine.apply affine_map<(d0) -> (d0 floordiv 2)>(%v)
      %c = arith.constant 1.0 : f32
      memref.store %c, %A[%half] : memref<4xf32>
    }
  }
  return
}

func.func @parallel_c3_reads_its_result(%A: memref<5xf32>) attributes {refused = "parallel 'B:i' in %f"} {
  loop.for serial %i in 4 {
    // expected-error @+1 {{parallel: schedule block "B" reads "arg0", which it writes: iteration i = 0 of "B" (reads) and iteration i = 1 of "B" (writes) both access "arg0"[1] (C3)}}
    loop.block "B" [%v: spatial 4] = (%i) reads(%A[%v + 1 : 1]) writes(%A[%v : 1]) {
      %next = affine.apply affine_map<(d0) -> (d0 + 1)>(%v)
      %a = memref.load %A[%next] : memref<5xf32>
      memref.store %a, %A[%v] : memref<5xf32>
    }
  }
  return
}

func.func @parallel_c3_dependent_blocks(%A: memref<4xf32>) attributes {refused = "parallel 'P:i' in %f"} {
  // expected-error @+1 {{parallel: schedule blocks "P" and "Q" both access "arg0", which one of them writes: iteration i = 0 of "P" (writes) and iteration i = 3 of "Q" (reads) both access "arg0"[0] (C3)}}
  loop.for serial %i in 4 {
    // expected-note @+1 {{one schedule block is here}}
    loop.block "P" [%v: spatial 4] = (%i) writes(%A[%v : 1]) {
      %c = arith.constant 1.0 : f32
      memref.store %c, %A[%v] : memref<4xf32>
    }
    // expected-note @+1 {{the other is here}}
    loop.block "Q" [%v: spatial 4] = (3 - %i) reads(%A[%v : 1]) {
      %a = memref.load %A[%v] : memref<4xf32>
    }
  }
  return
}

func.func @parallel_c3_nested_block(%A: memref<1xf32>) attributes {refused = "parallel 'B:i' in %f"} {
  loop.for serial %i in 4 {
    // expected-error @+1 {{parallel: schedule block "A" has a nest as its body: iteration i = 2 of "B" (writes) and iteration i = 3 of "B" (writes) both access "arg0"[0] (C3)}}
    loop.block "A" [%v: spatial 4] = (%i) writes(%A[0 : 1]) {
      loop.block "B" [] = () writes(%A[0 : 1]) {
        %c0 = arith.constant 0 : index
        %c = arith.constant 1.0 : f32
        memref.store %c, %A[%c0] : memref<1xf32>
      }
    }
  }
  return
}

func.func private @g()
func.func @parallel_c3_call() attributes {refused = "parallel 'B:i' in %f"} {
  loop.for serial %i in 4 {
    // expected-error @+1 {{parallel: schedule block "B" calls a function, whose effects are not known: the calls in "B" may access any buffer; proof "assume" takes it as true (C3)}}
    loop.block "B" [%v: spatial 4] = (%i) { func.call @g() : () -> () }
  }
  return
}

func.func @parallel_c4_barrier() attributes {refused = "parallel 'B:i' in %f"} {
  // expected-error @+1 {{parallel: loop "i" holds a barrier (C4)}}
  loop.for serial %i in 4 {
    loop.block "B" [%v: spatial 4] = (%i) {}
    // expected-note @+1 {{the barrier is here}}
    loop.sync
  }
  return
}

func.func @parallel_c5_local_buffer() attributes {refused = "parallel 'B:i' in %f"} {
  %T = loop.buffer "T" scope(local) : memref<4xf32>
  loop.for serial %i in 4 {
    // expected-error @+1 {{parallel: schedule block "B" accesses "T" of scope local: each iteration would have its own (C5)}}
    loop.block "B" [%v: spatial 4] = (%i) writes(%T[%v : 1]) {
      %c = arith.constant 1.0 : f32
      memref.store %c, %T[%v] : memref<4xf32>
    }
  }
  loop.for serial %j in 4 {
    loop.block "C" [%v: spatial 4] = (%j) reads(%T[%v : 1]) {
      %c = memref.load %T[%v] : memref<4xf32>
    }
  }
  return
}

func.func @parallel_c3_tiles_overlap(%B: memref<30xf32>) attributes {refused = "parallel 'B:i.0' in %f"} {
  loop.for serial %i.0 in 4 {
    loop.for serial %i.1 in 8 {
      // expected-error @+1 {{parallel: cannot prove that the iterations of loop "i.0" are different instances of schedule block "B": iterations i.0 = 2, i.1 = 6 of "B" (writes) and iterations i.0 = 3, i.1 = 0 of "B" (writes) both access "arg0"[22] (C3)}}
      loop.block "B" [%v: spatial 30] = (%i.0 * 8 + %i.1 - (%i.0 floordiv 3) * 2) writes(%B[%v : 1]) {
        %c = arith.constant 1.0 : f32
        memref.store %c, %B[%v] : memref<30xf32>
      }
    }
  }
  return
}

// All lanes of a vectorized loop are in the same iteration of the inner loops.
func.func @parallel_c3_in_lanes(%A: memref<5x5xf32>) attributes {refused = "parallel 'B:i' in %f"} {
  loop.for vectorize %j in 4 {
    loop.for serial %i in 4 {
      // expected-error @+1 {{parallel: schedule block "B" reads "arg0", which it writes: iterations j = 0, i = 0 of "B" (reads) and iterations j = 1, i = 1 of "B" (writes) both access "arg0"[1, 1] (C3)}}
      loop.block "B" [%v: spatial 4, %w: spatial 4] = (%i, %j) reads(%A[%v + 1 : 1, %w + 1 : 1]) writes(%A[%v : 1, %w : 1]) {
        %v1 = affine.apply affine_map<(d0) -> (d0 + 1)>(%v)
        %w1 = affine.apply affine_map<(d0) -> (d0 + 1)>(%w)
        %a = memref.load %A[%v1, %w1] : memref<5x5xf32>
        memref.store %a, %A[%v, %w] : memref<5x5xf32>
      }
    }
  }
  return
}

// Dependent lanes are one vector, in which no threads can be started.
func.func @parallel_c6_dependent_lanes(%A: memref<5xf32>, %D: memref<4x4xf32>)
    attributes {refused = "parallel 'B:j' in %f"} {
  // expected-error @+1 {{parallel: the iterations of loop "i" cannot be lanes: they depend on each other, and the iterations of loop "j" in it run concurrently (C6)}}
  loop.for vectorize %i in 4 {
    loop.block "C" [%v: spatial 4] = (%i) reads(%A[%v + 1 : 1]) writes(%A[%v : 1]) {
      %next = affine.apply affine_map<(d0) -> (d0 + 1)>(%v)
      %a = memref.load %A[%next] : memref<5xf32>
      memref.store %a, %A[%v] : memref<5xf32>
    }
    // expected-note @+1 {{this prevents it}}
    loop.for serial %j in 4 {
      loop.block "B" [%v: spatial 4, %w: spatial 4] = (%i, %j) writes(%D[%v : 1, %w : 1]) {
        %c = arith.constant 1.0 : f32
        memref.store %c, %D[%v, %w] : memref<4x4xf32>
      }
    }
  }
  return
}
