// RUN: lw-opt %s -verify-diagnostics --sched-expect-refusal

func.func @reorder_c1_no_loop() attributes {refused = "reorder ['B:k', 'B:i'] in %f"} {
  loop.for serial %i in 4 {
    loop.for serial %j in 8 {
      // expected-error @+1 {{reorder: there is no loop "k" around schedule block "B", there are "i", "j" (C1)}}
      loop.block "B" [%v: spatial 4, %w: spatial 8] = (%i, %j) {}
    }
  }
  return
}

func.func @reorder_c1_one_loop() attributes {refused = "reorder ['B:i'] in %f"} {
  // expected-error @+1 {{reorder: found 1 loops, expected two or more (C1)}}
  loop.for serial %i in 4 {
    loop.for serial %j in 8 { loop.block "B" [%v: spatial 4, %w: spatial 8] = (%i, %j) {} }
  }
  return
}

func.func @reorder_c1_twice() attributes {refused = "reorder ['B:i', 'B:j', 'B:i'] in %f"} {
  // expected-error @+1 {{reorder: loop "i" is given twice (C1)}}
  loop.for serial %i in 4 {
    loop.for serial %j in 8 { loop.block "B" [%v: spatial 4, %w: spatial 8] = (%i, %j) {} }
  }
  return
}

func.func @reorder_c2_side_by_side() attributes {refused = "reorder ['A:i', 'B:j'] in %f"} {
  // expected-error @+1 {{reorder: loops "j" and "i" are not nested in each other (C2)}}
  loop.for serial %i in 4 { loop.block "A" [] = () {} }
  // expected-note @+1 {{the other loop is here}}
  loop.for serial %j in 4 { loop.block "B" [] = () {} }
  return
}

func.func @reorder_c2_block_between() attributes {refused = "reorder ['B:j', 'B:i'] in %f"} {
  loop.for serial %i in 4 {
    // expected-note @+1 {{this is between them}}
    loop.block "A" [] = () {
      // expected-error @+1 {{reorder: loops "i" and "j" are not nested in each other (C2)}}
      loop.for serial %j in 4 {
        loop.block "B" [] = () {}
      }
    }
  }
  return
}

func.func @reorder_c2_if_between() attributes {refused = "reorder ['B:j', 'B:i'] in %f"} {
  loop.for serial %i in 4 {
    // expected-note @+1 {{this is between them}}
    loop.if (%i > 1) {
      // expected-error @+1 {{reorder: loops "i" and "j" are not nested in each other (C2)}}
      loop.for serial %j in 4 {
        loop.block "B" [] = () {}
      }
    }
  }
  return
}

func.func @reorder_c3_barrier_between() attributes {refused = "reorder ['B:k', 'B:i'] in %f"} {
  loop.for serial %i in 4 {
    loop.for serial %j in 4 {
      // expected-note @+1 {{the barrier is here}}
      loop.sync
      // expected-error @+1 {{reorder: next to loop "B:k" is a barrier, which cannot sink into it (C3)}}
      loop.for serial %k in 4 { loop.block "B" [] = () {} }
    }
  }
  return
}

func.func @reorder_c3_sinks_into_parallel(%A: memref<4xf32>) attributes {refused = "reorder ['B:j', 'B:i'] in %f"} {
  loop.for serial %i in 4 {
    // expected-note @+1 {{this would sink into it}}
    loop.block "A" [%v: spatial 4] = (%i) {}
    // expected-error @+1 {{reorder: loop "j" is parallel: its siblings can sink only into serial and unrolled loops (C3)}}
    loop.for parallel %j in 4 { loop.block "B" [%v: spatial 4, %w: spatial 4] = (%i, %j) {} }
  }
  return
}

func.func @reorder_c3_may_be_empty(%n: index) attributes {refused = "reorder ['B:j', 'B:i'] in %f"} {
  loop.for serial %i in 4 {
    // expected-note @+1 {{this would no longer run}}
    loop.block "A" [%v: spatial 4] = (%i) {}
    // expected-error @+1 {{reorder: loop "j" may have no iterations: its siblings cannot sink into it: the loop may have no iterations; proof "assume" takes it as true (C3)}}
    loop.for serial %j in %n { loop.block "B" [%v: spatial 4, %w: spatial %n] = (%i, %j) {} }
  }
  return
}

func.func @reorder_c3_last_of_a_minimum(%n: index) attributes {refused = "reorder ['B:j', 'B:i'] in %f"} {
  loop.for serial %i in 4 {
    // expected-error @+1 {{reorder: the extent of loop "j" is a minimum, which cannot be divided (C3)}}
    loop.for serial %j in min affine_map<()[s0] -> (s0 + 1, 4)>()[%n] {
      loop.block "B" [%v: spatial 4, %w: spatial 4] = (%i, %j) {}
    }
    // expected-note @+1 {{this runs after it}}
    loop.block "A" [%v: spatial 4] = (%i) {}
  }
  return
}

func.func @reorder_c4_triangle() attributes {refused = "reorder ['B:j', 'B:i'] in %f"} {
  loop.for serial %i in 4 {
    // expected-error @+1 {{reorder: the extent of loop "j" depends on loop "i" (C4)}}
    loop.for serial %j in affine_map<(d0) -> (d0 + 1)>(%i) {
      loop.block "B" [%v: spatial 4, %w: spatial 4] = (%i, %j) {}
    }
  }
  return
}

func.func @reorder_c4_not_named() attributes {refused = "reorder ['B:k', 'B:i'] in %f"} {
  loop.for serial %i in 4 {
    // expected-error @+1 {{reorder: the extent of loop "j" depends on loop "i" (C4)}}
    loop.for serial %j in affine_map<(d0) -> (d0 + 1)>(%i) {
      loop.for serial %k in 4 {
        loop.block "B" [%v: spatial 4, %w: spatial 4] = (%i, %j) {}
      }
    }
  }
  return
}

func.func @reorder_c5_dependent_blocks(%T: memref<4x4xf32>) attributes {refused = "reorder ['P:j', 'P:i'] in %f"} {
  // expected-error @+1 {{reorder: schedule blocks "P" and "Q" both access "arg0", which one of them writes: iterations i = 2, j = 3 of "P" (writes) and iterations i = 3, j = 2 of "Q" (reads) both access "arg0"[2, 3] (C5)}}
  loop.for serial %i in 4 {
    loop.for serial %j in 4 {
      // expected-note @+1 {{one schedule block is here}}
      loop.block "P" [%v: spatial 4, %w: spatial 4] = (%i, %j) writes(%T[%v : 1, %w : 1]) {
        %c = arith.constant 1.0 : f32
        memref.store %c, %T[%v, %w] : memref<4x4xf32>
      }
      // expected-note @+1 {{the other is here}}
      loop.block "Q" [%v: spatial 4, %w: spatial 4] = (%j, %i)
          reads(%T[%v : 1, %w : 1]) {
        %t = memref.load %T[%v, %w] : memref<4x4xf32>
      }
    }
  }
  return
}

func.func @reorder_c5_sunk_block_comes_later(%T: memref<4x4xf32>, %B: memref<4x4xf32>)
    attributes {refused = "reorder ['B:j', 'B:i'] in %f"} {
  // expected-error @+1 {{reorder: schedule blocks "A" and "B" both access "arg0", which one of them writes: "B" and "A" may access one cell of "arg0", as schedule block "A" may repeat its instances; proof "assume" takes it as true (C5)}}
  loop.for serial %i in 4 {
    // expected-note @+1 {{one schedule block is here}}
    loop.block "A" [%v: spatial 4] = (%i) writes(%T[%v : 1, 3 : 1]) {
      %c3 = arith.constant 3 : index
      %c = arith.constant 1.0 : f32
      memref.store %c, %T[%v, %c3] : memref<4x4xf32>
    }
    loop.for serial %j in 4 {
      // expected-note @+1 {{the other is here}}
      loop.block "B" [%v: spatial 4, %w: spatial 4] = (%i, %j)
          reads(%T[-%v + 3 : 1, %w : 1]) writes(%B[%v : 1, %w : 1]) {
        %o = affine.apply affine_map<(d0) -> (3 - d0)>(%v)
        %t = memref.load %T[%o, %w] : memref<4x4xf32>
        memref.store %t, %B[%v, %w] : memref<4x4xf32>
      }
    }
  }
  return
}

func.func @reorder_c5_nested_block(%A: memref<7xf32>) attributes {refused = "reorder ['B:j', 'B:i'] in %f"} {
  loop.for serial %i in 4 {
    loop.for serial %j in 4 {
      // expected-error @+1 {{reorder: schedule block "A" has a nest as its body: iterations i = 2, j = 3 of "B" (writes) and iterations i = 3, j = 2 of "B" (writes) both access "arg0"[5] (C5)}}
      loop.block "A" [%v: spatial 4, %w: spatial 4] = (%i, %j) writes(%A[%v + %w : 1]) {
        loop.block "B" [%b: spatial 7] = (%v + %w) writes(%A[%b : 1]) {
          %c = arith.constant 1.0 : f32
          memref.store %c, %A[%b] : memref<7xf32>
        }
      }
    }
  }
  return
}

func.func private @g() attributes {llvm.readnone}
func.func @reorder_c5_call(%A: memref<4xf32>) attributes {refused = "reorder ['B:j', 'B:i'] in %f"} {
  loop.for serial %i in 4 {
    loop.for serial %j in 4 {
      // expected-error @+1 {{reorder: schedule block "B" calls a function, whose effects are not known: the calls in "B" may access any buffer; proof "assume" takes it as true (C5)}}
      loop.block "B" [%v: spatial 4, %w: spatial 4] = (%i, %j) {
        func.call @g() : () -> ()
      }
    }
  }
  return
}

func.func @reorder_c5_one_cell(%A: memref<4xf32>) attributes {refused = "reorder ['B:j', 'B:i'] in %f"} {
  loop.for serial %i in 4 {
    loop.for serial %j in 4 {
      // expected-error @+1 {{reorder: cannot prove that the instances of schedule block "B" write different cells of "arg0": iterations i = 0, j = 3 of "B" (writes) and iterations i = 1, j = 2 of "B" (writes) both access "arg0"[1] (C5)}}
      loop.block "B" [%v: spatial 4, %w: spatial 4] = (%i, %j) writes(%A[(%v + %w) floordiv 2 : 1]) {
        %half = affine.apply affine_map<(d0, d1) -> ((d0 + d1) floordiv 2)>(%v, %w)
        %w32 = arith.index_cast %w : index to i32
        %f = arith.sitofp %w32 : i32 to f32
        memref.store %f, %A[%half] : memref<4xf32>
      }
    }
  }
  return
}

func.func @reorder_c5_reads_its_result(%A: memref<5x5xf32>) attributes {refused = "reorder ['B:j', 'B:i'] in %f"} {
  loop.for serial %i in 4 {
    loop.for serial %j in 4 {
      // expected-error @+1 {{reorder: cannot prove that the instances of schedule block "B" write different cells of "arg0": iterations i = 0, j = 1 of "B" (reads) and iterations i = 1, j = 0 of "B" (writes) both access "arg0"[1, 1] (C5)}}
      loop.block "B" [%v: spatial 4, %w: spatial 4] = (%i, %j)
          reads(%A[%v + 1 : 1, %w : 1]) writes(%A[%v : 1, %w + 1 : 1]) {
        %next = affine.apply affine_map<(d0) -> (d0 + 1)>(%v)
        %right = affine.apply affine_map<(d0) -> (d0 + 1)>(%w)
        %a = memref.load %A[%next, %w] : memref<5x5xf32>
        memref.store %a, %A[%v, %right] : memref<5x5xf32>
      }
    }
  }
  return
}

func.func @reorder_c5_opaque(%A: memref<2xf32>) attributes {refused = "reorder ['B:j', 'B:i'] in %f"} {
  // expected-note @+1 {{the loop is here}}
  loop.for serial %i in 4 {
    loop.for serial %j in 4 {
      // expected-error @+1 {{reorder: the order of the iterations of loop "i" matters to schedule block "B": it is bound to an opaque iter: iterations i = 2, j = 3 of "B" (writes) and iterations i = 3, j = 2 of "B" (writes) both access "arg0"[1] (C5)}}
      loop.block "B" [%v: opaque 4] = (%i) writes(%A[%v floordiv 2 : 1]) {
        %half = affine.apply affine_map<(d0) -> (d0 floordiv 2)>(%v)
        %c = arith.constant 1.0 : f32
        memref.store %c, %A[%half] : memref<2xf32>
      }
    }
  }
  return
}

func.func @reorder_c5_no_reducer(%A: memref<4x4xf32>, %C: memref<4xf32>)
    attributes {refused = "reorder ['B:l', 'B:j'] in %f"} {
  loop.for serial %i in 4 {
    // expected-note @+1 {{the loop is here}}
    loop.for serial %j in 4 {
      loop.for serial %l in 2 {
        // expected-error @+1 {{reorder: the order of the iterations of loop "j" matters to schedule block "B": it is bound to a reduce iter, and there is no reducer: iterations i = 0, j = 0, l = 1 of "B" (reads) and iterations i = 0, j = 1, l = 0 of "B" (writes) both access "arg1"[0] (C5)}}
        loop.block "B" [%v: spatial 4, %k: reduce 8] = (%i, %j * 2 + %l)
            reads(%A[%v : 1, %v : 1], %C[%v : 1]) writes(%C[%v : 1]) {
          %a = memref.load %A[%v, %v] : memref<4x4xf32>
          %c = memref.load %C[%v] : memref<4xf32>
          %s = arith.subf %c, %a : f32
          memref.store %s, %C[%v] : memref<4xf32>
        }
      }
    }
  }
  return
}

func.func @reorder_c5_ordered(%A: memref<4x4xf32>, %C: memref<4xf32>)
    attributes {refused = "reorder ['B:l', 'B:j'] in %f"} {
  loop.for serial %i in 4 {
    // expected-note @+1 {{the loop is here}}
    loop.for serial %j in 2 {
      loop.for serial %l in 2 {
        // expected-error @+1 {{reorder: the order of the iterations of loop "j" matters to schedule block "B": its reducer is ordered: iterations i = 0, j = 0, l = 1 of "B" (reads) and iterations i = 0, j = 1, l = 0 of "B" (writes) both access "arg1"[0] (C5)}}
        loop.block "B" [%v: spatial 4, %k: reduce 4] = (%i, %j * 2 + %l)
            reads(%A[%v : 1, %k : 1], %C[%v : 1]) writes(%C[%v : 1]) reducer(ordered) {
          %a = memref.load %A[%v, %k] : memref<4x4xf32>
          %c = memref.load %C[%v] : memref<4xf32>
          %s = arith.subf %c, %a : f32
          memref.store %s, %C[%v] : memref<4xf32>
        }
      }
    }
  }
  return
}

func.func @reorder_c5_argmax(%A: memref<4xf32>, %V: memref<1xf32>, %I: memref<1xi64>)
    attributes {refused = "reorder ['B:j', 'B:i'] in %f"} {
  // expected-note @+1 {{the loop is here}}
  loop.for serial %i in 2 {
    loop.for serial %j in 2 {
      // expected-error @+1 {{reorder: the order of the iterations of loop "i" matters to schedule block "B": its reducer keeps the first of equal values: iterations i = 0, j = 1 of "B" (reads) and iterations i = 1, j = 0 of "B" (writes) both access "arg1"[0] (C5)}}
      loop.block "B" [%v: spatial 1, %k: reduce 4] = (0, %i * 2 + %j)
          reads(%A[%k : 1], %V[%v : 1], %I[%v : 1]) writes(%V[%v : 1], %I[%v : 1]) reducer(argmax, 0xFF800000, 0) {
        %a = memref.load %A[%k] : memref<4xf32>
        %best = memref.load %V[%v] : memref<1xf32>
        %at = memref.load %I[%v] : memref<1xi64>
        %here = arith.index_cast %k : index to i64
        %more = arith.cmpf ogt, %a, %best : f32
        %max = arith.maximumf %a, %best : f32
        %new = arith.select %more, %here, %at : i64
        memref.store %max, %V[%v] : memref<1xf32>
        memref.store %new, %I[%v] : memref<1xi64>
      }
    }
  }
  return
}

func.func @reorder_c5_place_depends_on_data(%P: memref<4xi32>, %T: memref<4xf32>)
    attributes {loop.fp = "reassoc", refused = "reorder ['B:j', 'B:i'] in %f"} {
  loop.for serial %i in 2 {
    loop.for serial %j in 2 {
      // expected-error @+1 {{reorder: schedule block "B" reads "arg1", which it writes: "B" and "B" may access one cell of "arg1", as an index depends on data; proof "assume" takes it as true (C5)}}
      loop.block "B" [%k: reduce 4] = (%i * 2 + %j) reads(%P[0 : 4], %T[*]) writes(%T[*]) reducer(add, 0.0) {
        %c3 = arith.constant 3 : index
        %p32 = memref.load %P[%k] : memref<4xi32>
        %p = arith.index_cast %p32 : i32 to index
        %q = arith.subi %c3, %p : index
        %t = memref.load %T[%p] : memref<4xf32>
        %other = memref.load %T[%q] : memref<4xf32>
        %s = arith.addf %t, %other : f32
        memref.store %s, %T[%p] : memref<4xf32>
      }
    }
  }
  return
}

func.func @reorder_c5_reduction_that_starts_twice(%A: memref<4x4xf32>, %C: memref<4xf32>)
    attributes {refused = "reorder ['B:j', 'B:t'] in %f"} {
  loop.for serial %t in 2 {
    loop.for serial %i in 4 {
      loop.for serial %j in 4 {
        // expected-error @+1 {{reorder: cannot prove that the iterations of loop "t" are different instances of schedule block "B": iterations t = 0, i = 0, j = 1 of "B" (reads) and iterations t = 1, i = 0, j = 0 of "B" (writes) both access "arg1"[0] (C5)}}
        loop.block "B" [%v: spatial 4, %k: reduce 4] = (%i, %j)
            reads(%A[%v : 1, %k : 1]) writes(%C[%v : 1]) reducer(add, 0.0) {
          loop.init {
            %zero = arith.constant 0.0 : f32
            memref.store %zero, %C[%v] : memref<4xf32>
          }
          %a = memref.load %A[%v, %k] : memref<4x4xf32>
          %c = memref.load %C[%v] : memref<4xf32>
          %s = arith.addf %c, %a : f32
          memref.store %s, %C[%v] : memref<4xf32>
        }
      }
    }
  }
  return
}

func.func @reorder_c5_parallel_outward(%A: memref<4xf32>) attributes {refused = "reorder ['B:i', 'B:t'] in %f"} {
  loop.for serial %t in 4 {
    loop.for parallel %i in 4 {
      // expected-error @+1 {{reorder: cannot prove that the iterations of loop "i" are different instances of schedule block "B": iterations t = 2, i = 0 of "B" (writes) and iterations t = 3, i = 3 of "B" (writes) both access "arg0"[2] (C5)}}
      loop.block "B" [%v: spatial 4] = ((%t + %i) mod 4) writes(%A[%v : 1]) {
        %c = arith.constant 1.0 : f32
        memref.store %c, %A[%v] : memref<4xf32>
      }
    }
  }
  return
}

func.func @reorder_c6_block_in_thread() attributes {refused = "reorder ['B:j', 'B:i'] in %f"} {
  // expected-error @+1 {{reorder: loop "i" of axis blockIdx.x would be nested in loop "j" of axis threadIdx.x (C6)}}
  loop.for thread_bind[blockIdx.x] %i in 4 {
    // expected-note @+1 {{the other loop is here}}
    loop.for thread_bind[threadIdx.x] %j in 4 {
      loop.block "B" [%v: spatial 4, %w: spatial 4] = (%i, %j) {}
    }
  }
  return
}

func.func @reorder_c3_name_of_what_sinks(%A: memref<4xf32>, %B: memref<4x4xf32>)
    attributes {refused = "reorder ['B:j', 'B:i'] in %f"} {
  // expected-error @+1 {{reorder: there would be two nested loops named "j" (C3)}}
  loop.for serial %i in 4 {
    // expected-note @+1 {{this loop would sink into the other one}}
    loop.for serial %j in 1 {
      loop.block "A" [%v: spatial 4] = (%i + %j) writes(%A[%v : 1]) {
        %c = arith.constant 1.0 : f32
        memref.store %c, %A[%v] : memref<4xf32>
      }
    }
    loop.for serial %j in 4 {
      loop.block "B" [%v: spatial 4, %w: spatial 4] = (%i, %j) writes(%B[%v : 1, %w : 1]) {
        %c = arith.constant 1.0 : f32
        memref.store %c, %B[%v, %w] : memref<4x4xf32>
      }
    }
  }
  return
}

// Dependent lanes are one vector, in which no other vector can be.
func.func @reorder_c7_dependent_lanes(%A: memref<5x5xf32>) attributes {refused = "reorder ['B:i', 'B:j'] in %f"} {
  // expected-note @+1 {{this prevents it}}
  loop.for vectorize %j in 4 {
    // expected-error @+1 {{reorder: the iterations of loop "i" cannot be lanes: they depend on each other, and so do those of loop "j" in it, which is vectorized (C7)}}
    loop.for vectorize %i in 4 {
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

// Each iteration of a parallel loop has its own local buffer: their number would change.
func.func @reorder_c5_private_buffer(%A: memref<4x4xf32>) attributes {refused = "reorder ['P:j', 'P:i'] in %f"} {
  %T = loop.buffer "T" scope(local) : memref<4x4xf32>
  // expected-note @+1 {{the loop is here}}
  loop.for parallel %i in 4 {
    loop.for serial %j in 4 {
      // expected-error @+1 {{reorder: schedule block "P" accesses "T" of scope local: each iteration would have its own (C5)}}
      loop.block "P" [%v: spatial 4, %w: spatial 4] = (%i, %j) writes(%T[%v : 1, %w : 1]) {
        %c = arith.constant 1.0 : f32
        memref.store %c, %T[%v, %w] : memref<4x4xf32>
      }
      loop.block "Q" [%v: spatial 4, %w: spatial 4] = (%i, %j) reads(%T[%v : 1, %w : 1]) writes(%A[%v : 1, %w : 1]) {
        %t = memref.load %T[%v, %w] : memref<4x4xf32>
        memref.store %t, %A[%v, %w] : memref<4x4xf32>
      }
    }
  }
  return
}

// The instance that starts a point would no longer be its first instance, although updates may be in any order.
func.func @reorder_c5_start(%A: memref<2x3xi32>, %B: memref<3xi32>)
    attributes {refused = "reorder ['R:b', 'R:a'] in %f"} {
  // expected-note @+1 {{the loop is here}}
  loop.for serial %a in 3 {
    loop.for serial %b in 2 {
      // expected-error @+1 {{reorder: the order of the iterations of loop "a" matters to schedule block "R": the instance that starts a point may no longer be its first: iterations a = 0, b = 1 of "R" (writes) and iterations a = 2, b = 0 of "R" (reads) both access "arg1"[1] (C5)}}
      loop.block "R" [%vk: reduce 2, %v: spatial 3] = ((%a * 2 + %b) floordiv 3, (%a * 2 + %b) mod 3)
          reads(%A[%vk : 1, %v : 1]) writes(%B[%v : 1]) reducer(add, 0) {
        loop.init {
          %zero = arith.constant 0 : i32
          memref.store %zero, %B[%v] : memref<3xi32>
        }
        %x = memref.load %A[%vk, %v] : memref<2x3xi32>
        %y = memref.load %B[%v] : memref<3xi32>
        %s = arith.addi %x, %y : i32
        memref.store %s, %B[%v] : memref<3xi32>
      }
    }
  }
  return
}

// The sum of a sum and a count is of floats.
func.func @reorder_c5_strict_sum_and_count(%A: memref<4x4x4xf32>, %S: memref<4xf32>, %N: memref<4xi32>) attributes {loop.fp = "strict",
    refused = "reorder ['B:k', 'B:j'] in %f"} {
  loop.for serial %i in 4 {
    // expected-note @+1 {{this loop moves}}
    loop.for serial %j in 4 {
      loop.for serial %k in 4 {
        // expected-error @+1 {{reorder: schedule block "B" reduces floats by add, whose order matters to the last bit: to allow it, the function must have loop.fp = "reassoc" or "fast": iterations i = 0, j = 2, k = 3 of "B" (reads) and iterations i = 0, j = 3, k = 2 of "B" (writes) both access "arg1"[0] (C5)}}
        loop.block "B" [%v: spatial 4, %vj: reduce 4, %vk: reduce 4] = (%i, %j, %k)
            reads(%A[%v : 1, %vj : 1, %vk : 1]) writes(%S[%v : 1], %N[%v : 1]) reducer(add, add, 0.0, 0) {
          loop.init {
            %z = arith.constant 0.0 : f32
            %zero = arith.constant 0 : i32
            memref.store %z, %S[%v] : memref<4xf32>
            memref.store %zero, %N[%v] : memref<4xi32>
          }
          %one = arith.constant 1 : i32
          %a = memref.load %A[%v, %vj, %vk] : memref<4x4x4xf32>
          %s = memref.load %S[%v] : memref<4xf32>
          %n = memref.load %N[%v] : memref<4xi32>
          %t = arith.addf %s, %a : f32
          %m = arith.addi %n, %one : i32
          memref.store %t, %S[%v] : memref<4xf32>
          memref.store %m, %N[%v] : memref<4xi32>
        }
      }
    }
  }
  return
}

// The point starts in the last iteration of "k": earlier values are discarded, and there would be more of them.
func.func @reorder_c5_starts_late(%A: memref<8xi32>, %B: memref<i32>)
    attributes {refused = "reorder ['R:k', 'R:j'] in %f"} {
  // expected-note @+1 {{the loop is here}}
  loop.for serial %j in 2 {
    loop.for serial %k in 4 {
      // expected-error @+1 {{reorder: the order of the iterations of loop "j" matters to schedule block "R": the reduction of a point is not known to start in its first iteration: iterations j = 0, k = 3 of "R" (writes) and iterations j = 1, k = 0 of "R" (reads) both access "arg1"[] (C5)}}
      loop.block "R" [%v: reduce 8] = (%j * 4 - %k + 3) reads(%A[%v : 1]) writes(%B[]) reducer(add, 0) {
        loop.init {
          %zero = arith.constant 0 : i32
          memref.store %zero, %B[] : memref<i32>
        }
        %x = memref.load %A[%v] : memref<8xi32>
        %y = memref.load %B[] : memref<i32>
        %s = arith.addi %x, %y : i32
        memref.store %s, %B[] : memref<i32>
      }
    }
  }
  return
}

// Over nothing, a reduction starts if the loops that do not distinguish its points are at their first iteration.
func.func @reorder_c3_start_in_the_last_iteration(%A: memref<4x8xi32>, %B: memref<4x?xi32>, %C: memref<4xi32>, %n: index)
    attributes {refused = "reorder ['B:j', 'B:i'] in %f"} {
  loop.for serial %i in 4 {
    // expected-error @+1 {{reorder: schedule block "R" would lose its start values if its reduction is empty: loop "j" is at its first iteration there: its reduction may be empty; proof "assume" takes it as true (C3)}}
    loop.for serial %j in 8 {
      loop.block "B" [%v: spatial 4, %w: spatial 8] = (%i, %j) writes(%A[%v : 1, %w : 1]) {
        %one = arith.constant 1 : i32
        memref.store %one, %A[%v, %w] : memref<4x8xi32>
      }
    }
    // expected-note @+1 {{this would run in the last iteration}}
    loop.for serial %k in %n {
      loop.block "R" [%v: spatial 4, %w: reduce %n] = (%i, %k) reads(%B[%v : 1, %w : 1]) writes(%C[%v : 1]) reducer(add, 0) {
        loop.init {
          %zero = arith.constant 0 : i32
          memref.store %zero, %C[%v] : memref<4xi32>
        }
        %x = memref.load %B[%v, %w] : memref<4x?xi32>
        %y = memref.load %C[%v] : memref<4xi32>
        %s = arith.addi %x, %y : i32
        memref.store %s, %C[%v] : memref<4xi32>
      }
    }
  }
  return
}
