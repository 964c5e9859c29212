// RUN: lw-opt %s -verify-diagnostics --sched-expect-refusal

func.func @vectorize_c1_no_loop() attributes {refused = "vectorize 'B:k' in %f factor 2"} {
  loop.for serial %i in 4 {
    // expected-error @+1 {{vectorize: there is no loop "k" around schedule block "B", there are "i" (C1)}}
    loop.block "B" [%v: spatial 4] = (%i) {}
  }
  return
}

func.func @vectorize_c2_twice() attributes {refused = "vectorize 'B:i' in %f factor 2"} {
  // expected-error @+1 {{vectorize: loop "i" is unroll, expected serial (C2)}}
  loop.for unroll %i in 4 {
    loop.block "B" [%v: spatial 4] = (%i) {}
  }
  return
}

func.func @vectorize_c3_dynamic(%n: index) attributes {refused = "vectorize 'B:i' in %f"} {
  // expected-error @+1 {{vectorize: loop "i" has no constant extent (C3)}}
  loop.for serial %i in %n {
    loop.block "B" [%v: spatial %n] = (%i) {}
  }
  return
}

func.func @vectorize_c4_unused(%A: memref<4xf32>) attributes {refused = "vectorize 'B:i' in %f factor 2"} {
  loop.for serial %i in 4 {
    // expected-error @+1 {{vectorize: schedule block "B" does not depend on loop "i": its iterations would repeat the same work concurrently: iteration i = 2 of "B" (writes) and iteration i = 3 of "B" (writes) both access "arg0"[0] (C4)}}
    loop.block "B" [%v: spatial 4] = (0) writes(%A[%v : 1]) {
      %c = arith.constant 1.0 : f32
      memref.store %c, %A[%v] : memref<4xf32>
    }
  }
  return
}

func.func @vectorize_c7_reduction(%A: memref<2xf32>) attributes {refused = "vectorize 'B:i' in %f factor 2"} {
  loop.for serial %j in 2 {
    loop.for serial %i in 4 {
      // expected-error @+1 {{vectorize: the lanes would reduce into one cell, as iter "k" of schedule block "B" is bound to the loop: use rfactor, or vectorize another loop (C7)}}
      loop.block "B" [%u: spatial 2, %k: reduce 4] = (%j, %i) writes(%A[%u : 1]) {
        %c = arith.constant 1.0 : f32
        memref.store %c, %A[%u] : memref<2xf32>
      }
    }
  }
  return
}

func.func @vectorize_c4_opaque(%A: memref<1xf32>) attributes {refused = "vectorize 'B:i' in %f factor 2"} {
  loop.for serial %i in 4 {
    // expected-error @+1 {{vectorize: iter "v" of schedule block "B" is opaque, expected spatial: iteration i = 2 of "B" (writes) and iteration i = 3 of "B" (writes) both access "arg0"[0] (C4)}}
    loop.block "B" [%v: opaque 4] = (%i) writes(%A[0 : 1]) {
      %c0 = arith.constant 0 : index
      %c = arith.constant 1.0 : f32
      memref.store %c, %A[%c0] : memref<1xf32>
    }
  }
  return
}

func.func @vectorize_c4_not_injective(%A: memref<2xf32>) attributes {refused = "vectorize 'B:i' in %f factor 2"} {
  loop.for serial %i in 4 {
    // expected-error @+1 {{vectorize: cannot prove that the iterations of loop "i" are different instances of schedule block "B": iteration i = 2 of "B" (writes) and iteration i = 3 of "B" (writes) both access "arg0"[1] (C4)}}
    loop.block "B" [%v: spatial 2] = (%i floordiv 2) writes(%A[%v : 1]) {
      %c = arith.constant 1.0 : f32
      memref.store %c, %A[%v] : memref<2xf32>
    }
  }
  return
}

func.func @vectorize_c4_overlap(%A: memref<17xf32>) attributes {refused = "vectorize 'B:i' in %f factor 2"} {
  loop.for serial %i in 4 {
    loop.for serial %j in 5 {
      // expected-error @+1 {{vectorize: cannot prove that the iterations of loop "i" are different instances of schedule block "B": iterations i = 0, j = 4 of "B" (writes) and iterations i = 1, j = 0 of "B" (writes) both access "arg0"[4] (C4)}}
      loop.block "B" [%v: spatial 17] = (%i * 4 + %j) writes(%A[%v : 1]) {
        %c = arith.constant 1.0 : f32
        memref.store %c, %A[%v] : memref<17xf32>
      }
    }
  }
  return
}

func.func @vectorize_c4_one_cell(%A: memref<4xf32>) attributes {refused = "vectorize 'B:i' in %f factor 2"} {
  loop.for serial %i in 4 {
    // expected-error @+1 {{vectorize: cannot prove that the instances of schedule block "B" write different cells of "arg0": iteration i = 2 of "B" (writes) and iteration i = 3 of "B" (writes) both access "arg0"[1] (C4)}}
    loop.block "B" [%v: spatial 4] = (%i) writes(%A[%v floordiv 2 : 1]) {
      %half = affine.apply affine_map<(d0) -> (d0 floordiv 2)>(%v)
      %c = arith.constant 1.0 : f32
      memref.store %c, %A[%half] : memref<4xf32>
    }
  }
  return
}

func.func @vectorize_c4_reads_its_result(%A: memref<5xf32>) attributes {refused = "vectorize 'B:i' in %f factor 2"} {
  loop.for serial %i in 4 {
    // expected-error @+1 {{vectorize: cannot prove that the instances of schedule block "B" write different cells of "arg0": iteration i = 2 of "B" (writes) and iteration i = 3 of "B" (reads) both access "arg0"[3] (C4)}}
    loop.block "B" [%v: spatial 4] = (%i) reads(%A[%v : 1]) writes(%A[%v + 1 : 1]) {
      %next = affine.apply affine_map<(d0) -> (d0 + 1)>(%v)
      %a = memref.load %A[%v] : memref<5xf32>
      memref.store %a, %A[%next] : memref<5xf32>
    }
  }
  return
}

func.func @vectorize_c4_dependent_blocks(%A: memref<4xf32>) attributes {refused = "vectorize 'P:i' in %f"} {
  // expected-error @+1 {{vectorize: schedule blocks "P" and "Q" both access "arg0", which one of them writes: iteration i = 0 of "Q" (reads) and iteration i = 3 of "P" (writes) both access "arg0"[3] (C4)}}
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

func.func @vectorize_c4_nested_block(%A: memref<1xf32>) attributes {refused = "vectorize 'B:i' in %f factor 2"} {
  loop.for serial %i in 4 {
    // expected-error @+1 {{vectorize: schedule block "A" has a nest as its body: iteration i = 2 of "B" (writes) and iteration i = 3 of "B" (writes) both access "arg0"[0] (C4)}}
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
func.func @vectorize_c4_call() attributes {refused = "vectorize 'B:i' in %f factor 2"} {
  loop.for serial %i in 4 {
    // expected-error @+1 {{vectorize: schedule block "B" calls a function, whose effects are not known: the calls in "B" may access any buffer; proof "assume" takes it as true (C4)}}
    loop.block "B" [%v: spatial 4] = (%i) { func.call @g() : () -> () }
  }
  return
}

func.func @vectorize_c5_barrier() attributes {refused = "vectorize 'B:i' in %f factor 2"} {
  // expected-error @+1 {{vectorize: loop "i" holds a barrier (C5)}}
  loop.for serial %i in 4 {
    loop.block "B" [%v: spatial 4] = (%i) {}
    // expected-note @+1 {{the barrier is here}}
    loop.sync
  }
  return
}

func.func @vectorize_c6_too_large() attributes {refused = "vectorize 'B:i' in %f factor 2"} {
  // expected-error @+1 {{vectorize: the product of factors [-1, 2] is too large for an index (C6)}}
  loop.for serial %i in 9223372036854775807 {
    loop.block "B" [%v: spatial 9223372036854775807] = (%i) {}
  }
  return
}

// A single step of a reduction cannot be several lanes either.
func.func @vectorize_c7_assumed(%A: memref<2xf32>)
    attributes {refused = "vectorize 'B:i' in %f factor 4 proof 'assume'"} {
  loop.for serial %j in 2 {
    loop.for serial %i in 1 {
      // expected-error @+1 {{vectorize: the lanes would reduce into one cell, as iter "k" of schedule block "B" is bound to the loop: use rfactor, or vectorize another loop (C7)}}
      loop.block "B" [%u: spatial 2, %k: reduce 1] = (%j, %i) writes(%A[%u : 1]) {
        %c = arith.constant 1.0 : f32
        memref.store %c, %A[%u] : memref<2xf32>
      }
    }
  }
  return
}

func.func @vectorize_c8_extent_of_parallel_loop(%A: memref<4x4xf32>) attributes {refused = "vectorize 'B:i' in %f"} {
  // expected-error @+1 {{vectorize: the iterations of loop "i" cannot be lanes: the extent of parallel loop "j" differs between lanes (C8)}}
  loop.for serial %i in 4 {
    // expected-note @+1 {{this prevents it}}
    loop.for parallel %j in affine_map<(d0) -> (d0)>(%i) {
      loop.block "B" [%v: spatial 4, %w: spatial 4] = (%i, %j) writes(%A[%v : 1, %w : 1]) {
        %c = arith.constant 1.0 : f32
        memref.store %c, %A[%v, %w] : memref<4x4xf32>
      }
    }
  }
  return
}

// Dependent lanes are one vector.
func.func @vectorize_c8_too_many(%A: memref<2001xf32>) attributes {refused = "vectorize 'B:i' in %f"} {
  // expected-error @+1 {{vectorize: the iterations of loop "i" cannot be lanes: they depend on each other, and there are more than 1024 lanes (C8)}}
  loop.for serial %i in 2000 {
    loop.block "B" [%v: spatial 2000] = (%i) reads(%A[%v + 1 : 1]) writes(%A[%v : 1]) {
      %next = affine.apply affine_map<(d0) -> (d0 + 1)>(%v)
      %a = memref.load %A[%next] : memref<2001xf32>
      memref.store %a, %A[%v] : memref<2001xf32>
    }
  }
  return
}

func.func @vectorize_c8_extent_of_serial_loop(%A: memref<5x4xf32>) attributes {refused = "vectorize 'B:i' in %f"} {
  // expected-error @+1 {{vectorize: the iterations of loop "i" cannot be lanes: they depend on each other, and the extent of loop "j" differs between lanes (C8)}}
  loop.for serial %i in 4 {
    // expected-note @+1 {{this prevents it}}
    loop.for serial %j in affine_map<(d0) -> (d0)>(%i) {
      loop.block "B" [%v: spatial 4, %w: spatial 4] = (%i, %j)
          reads(%A[%v + 1 : 1, %w : 1]) writes(%A[%v : 1, %w : 1]) {
        %next = affine.apply affine_map<(d0) -> (d0 + 1)>(%v)
        %a = memref.load %A[%next, %w] : memref<5x4xf32>
        memref.store %a, %A[%v, %w] : memref<5x4xf32>
      }
    }
  }
  return
}

// The outer lanes, which are dependent, are one vector, in which no other vector can be.
func.func @vectorize_c8_in_dependent_lanes(%A: memref<5x5xf32>) attributes {refused = "vectorize 'B:j' in %f"} {
  // expected-error @+1 {{vectorize: the iterations of loop "i" cannot be lanes: they depend on each other, and so do those of loop "j" in it, which would be vectorized (C8)}}
  loop.for vectorize %i in 4 {
    // expected-note @+1 {{this prevents it}}
    loop.for serial %j in 4 {
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

// Lanes of the enclosing loop are in the same iteration of this one.
func.func @vectorize_c4_in_lanes_that_overlap(%A: memref<8xf32>) attributes {refused = "vectorize 'B:j' in %f"} {
  loop.for vectorize %i in 3 {
    loop.for serial %j in 3 {
      // expected-error @+1 {{vectorize: cannot prove that the iterations of loop "j" are different instances of schedule block "B": iterations i = 1, j = 1 of "B" (writes) and iterations i = 0, j = 2 of "B" (writes) both access "arg0"[4] (C4)}}
      loop.block "B" [%v: spatial 8] = (%j * 3 + %i - (%j floordiv 2) * 2) writes(%A[%v : 1]) {
        %c = arith.constant 1.0 : f32
        memref.store %c, %A[%v] : memref<8xf32>
      }
    }
  }
  return
}

// Lanes are dependent if one reads what another one writes in a later block.
func.func @vectorize_c8_two_blocks(%A: memref<5x4xf32>, %D: memref<4x4xf32>)
    attributes {refused = "vectorize 'R:i' in %f"} {
  // expected-error @+1 {{vectorize: the iterations of loop "i" cannot be lanes: they depend on each other, and the extent of loop "j" differs between lanes (C8)}}
  loop.for serial %i in 4 {
    // expected-note @+1 {{this prevents it}}
    loop.for serial %j in affine_map<(d0) -> (d0)>(%i) {
      loop.block "R" [%v: spatial 4, %w: spatial 4] = (%i, %j) reads(%A[%v + 1 : 1, %w : 1]) writes(%D[%v : 1, %w : 1]) {
        %next = affine.apply affine_map<(d0) -> (d0 + 1)>(%v)
        %a = memref.load %A[%next, %w] : memref<5x4xf32>
        memref.store %a, %D[%v, %w] : memref<4x4xf32>
      }
      loop.block "W" [%v: spatial 4, %w: spatial 4] = (%i, %j) writes(%A[%v : 1, %w : 1]) {
        %c = arith.constant 1.0 : f32
        memref.store %c, %A[%v, %w] : memref<5x4xf32>
      }
    }
  }
  return
}

// A call may depend on all lanes, whatever is assumed about their order.
func.func private @g_2()
func.func @vectorize_c8_calls() attributes {refused = "vectorize 'B:i' in %f proof 'assume'"} {
  // expected-error @+1 {{vectorize: the iterations of loop "i" cannot be lanes: they depend on each other, and the extent of loop "j" differs between lanes (C8)}}
  loop.for serial %i in 4 {
    // expected-note @+1 {{this prevents it}}
    loop.for serial %j in affine_map<(d0) -> (d0)>(%i) {
      loop.block "B" [%v: spatial 4, %w: spatial 4] = (%i, %j) { func.call @g_2() : () -> () }
    }
  }
  return
}
