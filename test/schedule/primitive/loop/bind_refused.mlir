// RUN: lw-opt %s -verify-diagnostics --sched-expect-refusal

func.func @bind_c1_no_loop() attributes {refused = "bind 'B:k' in %f thread 'threadIdx.x'"} {
  loop.for serial %i in 4 {
    // expected-error @+1 {{bind: there is no loop "k" around schedule block "B", there are "i" (C1)}}
    loop.block "B" [%v: spatial 4] = (%i) {}
  }
  return
}

func.func @bind_c2_twice() attributes {refused = "bind 'B:i' in %f thread 'threadIdx.x'"} {
  // expected-error @+1 {{bind: loop "i" is unroll, expected serial (C2)}}
  loop.for unroll %i in 4 {
    loop.block "B" [%v: spatial 4] = (%i) {}
  }
  return
}

func.func @bind_c3_no_axis() attributes {refused = "bind 'B:i' in %f thread 'threadIdx.w'"} {
  // expected-error @+1 {{bind: "threadIdx.w" is not a thread axis, expected one of blockIdx.x, blockIdx.y, blockIdx.z, threadIdx.x, threadIdx.y, threadIdx.z, vthread (C3)}}
  loop.for serial %i in 4 {
    loop.block "B" [%v: spatial 4] = (%i) {}
  }
  return
}

func.func @bind_c4_bound_around() attributes {refused = "bind 'B:i' in %f thread 'threadIdx.x'"} {
  // expected-note @+1 {{that loop is here}}
  loop.for thread_bind[threadIdx.x] %o in 2 {
    // expected-error @+1 {{bind: threadIdx.x is bound already by loop "o" (C4)}}
    loop.for serial %i in 4 {
      loop.block "B" [%u: spatial 2, %v: spatial 4] = (%o, %i) {}
    }
  }
  return
}

func.func @bind_c4_bound_inside() attributes {refused = "bind 'B:i' in %f thread 'threadIdx.y'"} {
  // expected-error @+1 {{bind: threadIdx.y is bound already by loop "o" (C4)}}
  loop.for serial %i in 4 {
    // expected-note @+1 {{that loop is here}}
    loop.for thread_bind[threadIdx.y] %o in 2 {
      loop.block "B" [%u: spatial 2, %v: spatial 4] = (%o, %i) {}
    }
  }
  return
}

func.func @bind_c5_block_in_thread() attributes {refused = "bind 'B:i' in %f thread 'blockIdx.x'"} {
  // expected-note @+1 {{the other loop is here}}
  loop.for thread_bind[threadIdx.x] %o in 2 {
    // expected-error @+1 {{bind: loop "i" of axis blockIdx.x would be nested in loop "o" of axis threadIdx.x (C5)}}
    loop.for serial %i in 4 {
      loop.block "B" [%u: spatial 2, %v: spatial 4] = (%o, %i) {}
    }
  }
  return
}

func.func @bind_c5_thread_around_block() attributes {refused = "bind 'B:i' in %f thread 'threadIdx.x'"} {
  // expected-error @+1 {{bind: loop "o" of axis blockIdx.x would be nested in loop "i" of axis threadIdx.x (C5)}}
  loop.for serial %i in 4 {
    // expected-note @+1 {{the other loop is here}}
    loop.for thread_bind[blockIdx.x] %o in 2 {
      loop.block "B" [%u: spatial 2, %v: spatial 4] = (%o, %i) {}
    }
  }
  return
}

func.func @bind_c6_block_idx_x_limit() attributes {refused = "bind 'B:i' in %f thread 'blockIdx.x'"} {
  // expected-error @+1 {{bind: extent 2147483648 of loop "i" exceeds 2147483647, the limit of blockIdx.x (C6)}}
  loop.for serial %i in 2147483648 {
    loop.block "B" [%v: spatial 2147483648] = (%i) {}
  }
  return
}

func.func @bind_c6_block_idx_y_limit() attributes {refused = "bind 'B:i' in %f thread 'blockIdx.y'"} {
  // expected-error @+1 {{bind: extent 65536 of loop "i" exceeds 65535, the limit of blockIdx.y (C6)}}
  loop.for serial %i in 65536 {
    loop.block "B" [%v: spatial 65536] = (%i) {}
  }
  return
}

func.func @bind_c6_block_idx_z_limit() attributes {refused = "bind 'B:i' in %f thread 'blockIdx.z'"} {
  // expected-error @+1 {{bind: extent 65536 of loop "i" exceeds 65535, the limit of blockIdx.z (C6)}}
  loop.for serial %i in 65536 {
    loop.block "B" [%v: spatial 65536] = (%i) {}
  }
  return
}

func.func @bind_c6_thread_idx_x_limit() attributes {refused = "bind 'B:i' in %f thread 'threadIdx.x'"} {
  // expected-error @+1 {{bind: extent 1025 of loop "i" exceeds 1024, the limit of threadIdx.x (C6)}}
  loop.for serial %i in 1025 {
    loop.block "B" [%v: spatial 1025] = (%i) {}
  }
  return
}

func.func @bind_c6_thread_idx_y_limit() attributes {refused = "bind 'B:i' in %f thread 'threadIdx.y'"} {
  // expected-error @+1 {{bind: extent 1025 of loop "i" exceeds 1024, the limit of threadIdx.y (C6)}}
  loop.for serial %i in 1025 {
    loop.block "B" [%v: spatial 1025] = (%i) {}
  }
  return
}

func.func @bind_c6_thread_idx_z_limit() attributes {refused = "bind 'B:i' in %f thread 'threadIdx.z'"} {
  // expected-error @+1 {{bind: extent 65 of loop "i" exceeds 64, the limit of threadIdx.z (C6)}}
  loop.for serial %i in 65 {
    loop.block "B" [%v: spatial 65] = (%i) {}
  }
  return
}

func.func @bind_c6_threads_of_a_block() attributes {refused = "bind 'B:i' in %f thread 'threadIdx.x'"} {
  loop.for thread_bind[threadIdx.y] %o in 64 {
    // expected-error @+1 {{bind: 1088 threads in a block exceed the limit of 1024 (C6)}}
    loop.for serial %i in 17 {
      loop.block "B" [%u: spatial 64, %v: spatial 17] = (%o, %i) {}
    }
  }
  return
}

func.func @bind_c7_unused(%A: memref<4xf32>) attributes {refused = "bind 'B:i' in %f thread 'threadIdx.x'"} {
  loop.for serial %i in 4 {
    // expected-error @+1 {{bind: schedule block "B" does not depend on loop "i": its iterations would repeat the same work concurrently: iteration i = 2 of "B" (writes) and iteration i = 3 of "B" (writes) both access "arg0"[0] (C7)}}
    loop.block "B" [%v: spatial 4] = (0) writes(%A[%v : 1]) {
      %c = arith.constant 1.0 : f32
      memref.store %c, %A[%v] : memref<4xf32>
    }
  }
  return
}

func.func @bind_c7_reduction(%A: memref<2xf32>) attributes {refused = "bind 'B:i' in %f thread 'threadIdx.x'"} {
  loop.for serial %j in 2 {
    loop.for serial %i in 4 {
      // expected-error @+1 {{bind: iter "k" of schedule block "B" is reduce, expected spatial: iterations j = 0, i = 2 of "B" (writes) and iterations j = 0, i = 3 of "B" (writes) both access "arg0"[0] (C7)}}
      loop.block "B" [%u: spatial 2, %k: reduce 4] = (%j, %i) writes(%A[%u : 1]) {
        %c = arith.constant 1.0 : f32
        memref.store %c, %A[%u] : memref<2xf32>
      }
    }
  }
  return
}

// Only the first iteration of %n does work, so there is no conflict; but a reduction over a bound loop is one update
// by all threads, and there is a loop in between that does not reduce.
func.func @bind_c7_joins_not_only_reducing(%A: memref<2x4xi32>, %C: memref<4xi32>)
    attributes {refused = "bind 'U:n' in %f thread 'blockIdx.x'"} {
  loop.for serial %n in 2 {
    // expected-error @+1 {{bind: loop "j" is bound to no reduce iter of schedule block "U" (C7)}}
    loop.for serial %j in 4 {
      loop.for serial %m in 4 {
        loop.block "U" [%v: spatial 4, %k: reduce 2] = (%j, %n * 4 + %m) where(-%n * 4 - %m + 1 >= 0)
            reads(%A[%k : 1, %v : 1], %C[%v : 1]) writes(%C[%v : 1]) reducer(add, 0) {
          %a = memref.load %A[%k, %v] : memref<2x4xi32>
          %c = memref.load %C[%v] : memref<4xi32>
          %s = arith.addi %c, %a : i32
          memref.store %s, %C[%v] : memref<4xi32>
        }
      }
    }
  }
  return
}

func.func @bind_c7_opaque(%A: memref<1xf32>) attributes {refused = "bind 'B:i' in %f thread 'threadIdx.x'"} {
  loop.for serial %i in 4 {
    // expected-error @+1 {{bind: iter "v" of schedule block "B" is opaque, expected spatial: iteration i = 2 of "B" (writes) and iteration i = 3 of "B" (writes) both access "arg0"[0] (C7)}}
    loop.block "B" [%v: opaque 4] = (%i) writes(%A[0 : 1]) {
      %c0 = arith.constant 0 : index
      %c = arith.constant 1.0 : f32
      memref.store %c, %A[%c0] : memref<1xf32>
    }
  }
  return
}

func.func @bind_c7_not_injective(%A: memref<2xf32>) attributes {refused = "bind 'B:i' in %f thread 'threadIdx.x'"} {
  loop.for serial %i in 4 {
    // expected-error @+1 {{bind: cannot prove that the iterations of loop "i" are different instances of schedule block "B": iteration i = 2 of "B" (writes) and iteration i = 3 of "B" (writes) both access "arg0"[1] (C7)}}
    loop.block "B" [%v: spatial 2] = (%i floordiv 2) writes(%A[%v : 1]) {
      %c = arith.constant 1.0 : f32
      memref.store %c, %A[%v] : memref<2xf32>
    }
  }
  return
}

func.func @bind_c7_overlap(%A: memref<17xf32>) attributes {refused = "bind 'B:i' in %f thread 'threadIdx.x'"} {
  loop.for serial %i in 4 {
    loop.for serial %j in 5 {
      // expected-error @+1 {{bind: cannot prove that the iterations of loop "i" are different instances of schedule block "B": iterations i = 0, j = 4 of "B" (writes) and iterations i = 1, j = 0 of "B" (writes) both access "arg0"[4] (C7)}}
      loop.block "B" [%v: spatial 17] = (%i * 4 + %j) writes(%A[%v : 1]) {
        %c = arith.constant 1.0 : f32
        memref.store %c, %A[%v] : memref<17xf32>
      }
    }
  }
  return
}

func.func @bind_c7_one_cell(%A: memref<4xf32>) attributes {refused = "bind 'B:i' in %f thread 'threadIdx.x'"} {
  loop.for serial %i in 4 {
    // expected-error @+1 {{bind: cannot prove that the instances of schedule block "B" write different cells of "arg0": iteration i = 2 of "B" (writes) and iteration i = 3 of "B" (writes) both access "arg0"[1] (C7)}}
    loop.block "B" [%v: spatial 4] = (%i) writes(%A[%v floordiv 2 : 1]) {
      %half = affine.apply affine_map<(d0) -> (d0 floordiv 2)>(%v)
      %c = arith.constant 1.0 : f32
      memref.store %c, %A[%half] : memref<4xf32>
    }
  }
  return
}

func.func @bind_c7_reads_its_result(%A: memref<5xf32>) attributes {refused = "bind 'B:i' in %f thread 'threadIdx.x'"} {
  loop.for serial %i in 4 {
    // expected-error @+1 {{bind: schedule block "B" reads "arg0", which it writes: iteration i = 0 of "B" (reads) and iteration i = 1 of "B" (writes) both access "arg0"[1] (C7)}}
    loop.block "B" [%v: spatial 4] = (%i) reads(%A[%v + 1 : 1]) writes(%A[%v : 1]) {
      %next = affine.apply affine_map<(d0) -> (d0 + 1)>(%v)
      %a = memref.load %A[%next] : memref<5xf32>
      memref.store %a, %A[%v] : memref<5xf32>
    }
  }
  return
}

func.func @bind_c7_dependent_blocks(%A: memref<4xf32>) attributes {refused = "bind 'P:i' in %f thread 'threadIdx.x'"} {
  // expected-error @+1 {{bind: schedule blocks "P" and "Q" both access "arg0", which one of them writes: iteration i = 0 of "P" (writes) and iteration i = 3 of "Q" (reads) both access "arg0"[0] (C7)}}
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

func.func @bind_c7_nested_block(%A: memref<1xf32>) attributes {refused = "bind 'B:i' in %f thread 'threadIdx.x'"} {
  loop.for serial %i in 4 {
    // expected-error @+1 {{bind: schedule block "A" has a nest as its body: iteration i = 2 of "B" (writes) and iteration i = 3 of "B" (writes) both access "arg0"[0] (C7)}}
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
func.func @bind_c7_call() attributes {refused = "bind 'B:i' in %f thread 'threadIdx.x'"} {
  loop.for serial %i in 4 {
    // expected-error @+1 {{bind: schedule block "B" calls a function, whose effects are not known: the calls in "B" may access any buffer; proof "assume" takes it as true (C7)}}
    loop.block "B" [%v: spatial 4] = (%i) { func.call @g() : () -> () }
  }
  return
}

func.func @bind_c8_local_buffer_of_thread() attributes {refused = "bind 'B:i' in %f thread 'threadIdx.x'"} {
  %T = loop.buffer "T" scope(local) : memref<4xf32>
  loop.for serial %i in 4 {
    // expected-error @+1 {{bind: schedule block "B" accesses "T" of scope local: each iteration would have its own (C8)}}
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

func.func @bind_c8_local_buffer_of_vthread() attributes {refused = "bind 'B:i' in %f thread 'vthread'"} {
  %T = loop.buffer "T" scope(local) : memref<4xf32>
  loop.for serial %i in 4 {
    // expected-error @+1 {{bind: schedule block "B" accesses "T" of scope local: each iteration would have its own (C8)}}
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

// Each virtual thread would have its own instance, and reads what another one has written.
func.func @bind_c8_own_buffer_of_vthread(%A: memref<4x4xf32>) attributes {refused = "bind 'B:i' in %f thread 'vthread'"} {
  %T = loop.buffer "T" scope(local) : memref<4xf32>
  loop.for thread_bind[threadIdx.x] %t in 4 {
    // expected-error @+1 {{iterations t = 0, i = 0 of "B" (writes) and iterations t = 0, i = 1 of "C" (reads) both access "T"[0] (C7)}}
    loop.for serial %i in 4 {
      // expected-note @+1 {{one schedule block is here}}
      loop.block "B" [%u: spatial 4, %v: spatial 4] = (%t, %i) writes(%T[%v : 1]) {
        %c = arith.constant 1.0 : f32
        memref.store %c, %T[%v] : memref<4xf32>
      }
      // expected-note @+1 {{the other is here}}
      loop.block "C" [%u: spatial 4, %v: spatial 4] = (%t, %i)
          where (%i - 1 >= 0) reads(%T[%v - 1 : 1]) writes(%A[%u : 1, %v : 1]) {
        %p = affine.apply affine_map<(d0) -> (d0 - 1)>(%v)
        %c = memref.load %T[%p] : memref<4xf32>
        memref.store %c, %A[%u, %v] : memref<4x4xf32>
      }
    }
  }
  return
}

// A barrier orders the threads of a thread block, but not their virtual threads.
func.func @bind_c7_vthread_barrier(%A: memref<8xf32>, %B: memref<2x8xf32>) attributes {refused = "bind 'B:i' in %f thread 'vthread'"} {
  %T = loop.buffer "T" scope(shared) : memref<8xf32>
  loop.for thread_bind[blockIdx.x] %b in 1 {
    // expected-error @+1 {{both access "T"[0] (C7)}}
    loop.for serial %i in 2 {
      loop.for thread_bind[threadIdx.x] %t in 8 {
        loop.block "B" [%u: spatial 2, %v: spatial 8] = (%i, %t) reads(%A[%v : 1]) writes(%T[%v : 1]) {
          %a = memref.load %A[%v] : memref<8xf32>
          memref.store %a, %T[%v] : memref<8xf32>
        }
      }
      loop.sync
      loop.for thread_bind[threadIdx.x] %t in 8 {
        loop.block "C" [%u: spatial 2, %v: spatial 8] = (%i, %t) reads(%T[-%v + 7 : 1]) writes(%B[%u : 1, %v : 1]) {
          %p = affine.apply affine_map<(d0) -> (7 - d0)>(%v)
          %a = memref.load %T[%p] : memref<8xf32>
          memref.store %a, %B[%u, %v] : memref<2x8xf32>
        }
      }
      loop.sync
    }
  }
  return
}

func.func @bind_c8_shared_buffer_of_block() attributes {refused = "bind 'B:i' in %f thread 'blockIdx.x'"} {
  %T = loop.buffer "T" scope(shared) : memref<4xf32>
  loop.for serial %i in 4 {
    // expected-error @+1 {{bind: schedule block "B" accesses "T" of scope shared: each iteration would have its own (C8)}}
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

func.func @bind_c8_local_buffer_of_block() attributes {refused = "bind 'B:i' in %f thread 'blockIdx.y'"} {
  %T = loop.buffer "T" scope(local) : memref<4xf32>
  loop.for serial %i in 4 {
    // expected-error @+1 {{bind: schedule block "B" accesses "T" of scope local: each iteration would have its own (C8)}}
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

func.func @bind_c9_block_beside(%A: memref<4xf32>) attributes {refused = "bind 'P:i' in %f thread 'threadIdx.x'"} {
  loop.for serial %o in 2 {
    // expected-note @+2 {{sync_threads between them inserts a barrier, which orders them}}
    // expected-error @+1 {{bind: schedule blocks "P" and "Q" both access "arg0", which one of them writes: iterations o = 0, i = 0 of "P" (writes) and iterations o = 0, i = 3 of "Q" (reads) both access "arg0"[0] (C9)}}
    loop.for serial %i in 4 {
      // expected-note @+1 {{one schedule block is here}}
      loop.block "P" [%v: spatial 4] = (%i) writes(%A[%v : 1]) {
        %c = arith.constant 1.0 : f32
        memref.store %c, %A[%v] : memref<4xf32>
      }
    }
    loop.for serial %i in 4 {
      // expected-note @+1 {{the other is here}}
      loop.block "Q" [%v: spatial 4] = (3 - %i) reads(%A[%v : 1]) {
        %a = memref.load %A[%v] : memref<4xf32>
      }
    }
  }
  return
}

// At most one thread block reduces, so no joining across thread blocks is needed, and the reader runs in each.
func.func @bind_c9_one_at_most(%A: memref<?x?xi32>, %S: memref<?xi32>, %B: memref<?xi32>, %m: index, %n: index)
    attributes {refused = "bind 'R:k' in %f thread 'blockIdx.x'"} {
  loop.for serial %i in %m {
    // expected-error @+1 {{(C9)}}
    loop.for serial %k in min affine_map<()[s0] -> (1, s0)>()[%n] {
      // expected-note @+1 {{one schedule block is here}}
      loop.block "R" [%v: spatial %m, %w: reduce %n] = (%i, %k) reads(%A[%v : 1, %w : 1]) writes(%S[%v : 1]) reducer(add, 0) {
        loop.init {
          %zero = arith.constant 0 : i32
          memref.store %zero, %S[%v] : memref<?xi32>
        }
        %a = memref.load %A[%v, %w] : memref<?x?xi32>
        %s = memref.load %S[%v] : memref<?xi32>
        %t = arith.addi %s, %a : i32
        memref.store %t, %S[%v] : memref<?xi32>
      }
    }
    // expected-note @+1 {{the other is here}}
    loop.block "Q" [%v: spatial %m] = (%i) reads(%S[%v : 1]) writes(%B[%v : 1]) {
      %s = memref.load %S[%v] : memref<?xi32>
      memref.store %s, %B[%v] : memref<?xi32>
    }
  }
  return
}

func.func @bind_c10_extent_of_a_thread(%A: memref<8xf32>)
    attributes {refused = "bind 'P:t' in %f thread 'threadIdx.x'"} {
  // expected-error @+1 {{(C10)}}
  loop.for serial %t in 4 {
    // expected-note @+1 {{the loop is here}}
    loop.for serial %k in affine_map<(d0) -> (d0 + 1)>(%t) {
      // expected-note @+1 {{the barrier is here}}
      loop.sync
      loop.block "P" [%v: spatial 4, %w: spatial 4] = (%t, %k) reads(%A[%v : 1]) {
        %a = memref.load %A[%v] : memref<8xf32>
      }
    }
  }
  return
}

func.func @bind_c10_other_threads(%A: memref<8xf32>) attributes {refused = "bind 'Q:i' in %f thread 'threadIdx.x'"} {
  loop.for serial %o in 2 {
    loop.for thread_bind[threadIdx.x] %t in 4 {
      // expected-note @+1 {{the barrier is here}}
      loop.sync
      loop.block "P" [%v: spatial 4] = (%t) reads(%A[%v : 1]) {
        %a = memref.load %A[%v] : memref<8xf32>
      }
    }
    // expected-error @+2 {{(C10)}}
    // expected-note @+1 {{the other loop is here}}
    loop.for serial %i in 8 {
      loop.block "Q" [%v: spatial 8] = (%i) reads(%A[%v : 1]) {
        %a = memref.load %A[%v] : memref<8xf32>
      }
    }
  }
  return
}

// Threads that reduce together synchronise at barriers: not all threads would reach them.
func.func @bind_c10_reduction_of_some(%A: memref<4x8xi32>, %B: memref<4xi32>)
    attributes {refused = "bind 'P:k' in %f thread 'threadIdx.x'"} {
  loop.for thread_bind[threadIdx.y] %t in 4 {
    // expected-note @+1 {{is here}}
    loop.if (%t - 2 >= 0) {
      // expected-error @+1 {{(C10)}}
      loop.for serial %k in 8 {
        loop.block "P" [%v: spatial 4, %r: reduce 8] = (%t, %k) reads(%A[%v : 1, %r : 1]) writes(%B[%v : 1]) reducer(add, 0) {
          loop.init {
            %z = arith.constant 0 : i32
            memref.store %z, %B[%v] : memref<4xi32>
          }
          %a = memref.load %A[%v, %r] : memref<4x8xi32>
          %b = memref.load %B[%v] : memref<4xi32>
          %s = arith.addi %a, %b : i32
          memref.store %s, %B[%v] : memref<4xi32>
        }
      }
    }
  }
  return
}

func.func @bind_c7_first_of_equal(%A: memref<5xf32>, %V: memref<1xf32>, %I: memref<1xi8>)
    attributes {refused = "bind 'B:l' in %f thread 'threadIdx.x'"} {
  loop.for serial %l in 5 {
    // expected-error @+1 {{bind: schedule block "B" has updates whose order matters: its reducer keeps the first of equal values: iteration l = 0 of "B" (writes) and iteration l = 1 of "B" (reads) both access "arg1"[0] (C7)}}
    loop.block "B" [%k: reduce 5] = (%l) reads(%A[%k : 1]) writes(%V[0 : 1], %I[0 : 1]) reducer(argmax, 0xFF800000, 0) {
      loop.init {
        %o = arith.constant 0 : index
        %lowest = arith.constant 0xFF800000 : f32
        %none = arith.constant 0 : i8
        memref.store %lowest, %V[%o] : memref<1xf32>
        memref.store %none, %I[%o] : memref<1xi8>
      }
      %o = arith.constant 0 : index
      %a = memref.load %A[%k] : memref<5xf32>
      %best = memref.load %V[%o] : memref<1xf32>
      %at = memref.load %I[%o] : memref<1xi8>
      %number = affine.apply affine_map<(d0) -> (d0 * 70)>(%k)
      %here = arith.index_cast %number : index to i8
      %more = arith.cmpf ogt, %a, %best : f32
      %max = arith.select %more, %a, %best : f32
      %new = arith.select %more, %here, %at : i8
      memref.store %max, %V[%o] : memref<1xf32>
      memref.store %new, %I[%o] : memref<1xi8>
    }
  }
  return
}

// A barrier elsewhere in the nest does not order the threads of one statement, so nothing can be assumed about them.
func.func @bind_c7_reduction_with_barrier(%n: index, %A: memref<4x?xi32>, %B: memref<4xi32>, %I: memref<4xi64>)
    attributes {refused = "bind 'R:k' in %f thread 'threadIdx.y' proof 'assume'"} {
  loop.for serial %i in 4 {
    loop.sync
    // expected-error @+1 {{(C7)}}
    loop.for serial %k in %n {
      loop.block "R" [%v: spatial 4, %w: reduce %n] = (%i, %k)
          reads(%A[%v : 1, %w floordiv 2 : 1]) writes(%B[%v : 1], %I[%v : 1]) reducer(argmax, -2147483648, 0) {
        loop.init {
          %least = arith.constant -2147483648 : i32
          memref.store %least, %B[%v] : memref<4xi32>
          %none = arith.constant 0 : i64
          memref.store %none, %I[%v] : memref<4xi64>
        }
        %h = affine.apply affine_map<(d0) -> (d0 floordiv 2)>(%w)
        %a = memref.load %A[%v, %h] : memref<4x?xi32>
        %b = memref.load %B[%v] : memref<4xi32>
        %x = memref.load %I[%v] : memref<4xi64>
        %y = arith.index_cast %w : index to i64
        %more = arith.cmpi sgt, %a, %b : i32
        %c = arith.select %more, %a, %b : i32
        %z = arith.select %more, %y, %x : i64
        memref.store %c, %B[%v] : memref<4xi32>
        memref.store %z, %I[%v] : memref<4xi64>
      }
    }
  }
  return
}

// A nest is one kernel, and a second kernel combines the results of the thread blocks.
func.func @bind_c7_branch_around_thread_blocks(%n: index, %A: memref<?x8xi32>, %B: memref<?xi32>)
    attributes {refused = "bind 'R:k' in %f thread 'blockIdx.x'"} {
  // expected-note @+1 {{the branch is here}}
  loop.if (symbol(%n) - 1 >= 0) {
    loop.for serial %i in %n {
      // expected-error @+1 {{bind: a branch encloses loop "k", over whose thread blocks schedule block "R" reduces: a second kernel combines their results, expected a nest without branches around it: iterations i = 5, k = 0 of "R" (writes) and iterations i = 5, k = 1 of "R" (reads) both access "arg2"[5]; with arg0 = 6 (C7)}}
      loop.for serial %k in 8 {
        loop.block "R" [%v: spatial %n, %w: reduce 8] = (%i, %k)
            reads(%A[%v : 1, %w : 1]) writes(%B[%v : 1]) reducer(add, 0) {
          loop.init {
            %zero = arith.constant 0 : i32
            memref.store %zero, %B[%v] : memref<?xi32>
          }
          %a = memref.load %A[%v, %w] : memref<?x8xi32>
          %b = memref.load %B[%v] : memref<?xi32>
          %s = arith.addi %a, %b : i32
          memref.store %s, %B[%v] : memref<?xi32>
        }
      }
    }
  }
  return
}
