// RUN: lw-opt %s -verify-diagnostics --sched-expect-refusal

// expected-error @+1 {{double_buffer: there is no schedule block "X", there are "S" (C1)}}
func.func @double_buffer_c1_no_block() attributes {refused = "double_buffer 'X' in %f"} {
  loop.for serial %i in 4 { loop.block "S" [%v: spatial 4] = (%i) {} }
  return
}

func.func @double_buffer_c1_twice(%A: memref<16x8xf32>, %B: memref<16x8xf32>)
    attributes {refused = "double_buffer 'S' in %f with ['S']"} {
  %T = loop.buffer "T" scope(global) : memref<8xf32>
  loop.for serial %i in 16 {
    loop.for serial %j in 8 {
      // expected-error @+1 {{double_buffer: schedule block "S" is given twice (C1)}}
      loop.block "S" [%v: spatial 16, %w: spatial 8] = (%i, %j) reads(%A[%v : 1, %w : 1]) writes(%T[%w : 1]) {
        %a = memref.load %A[%v, %w] : memref<16x8xf32>
        memref.store %a, %T[%w] : memref<8xf32>
      }
    }
    loop.for serial %j in 8 {
      loop.block "U" [%v: spatial 16, %w: spatial 8] = (%i, %j) reads(%T[%w : 1]) writes(%B[%v : 1, %w : 1]) {
        %a = memref.load %T[%w] : memref<8xf32>
        memref.store %a, %B[%v, %w] : memref<16x8xf32>
      }
    }
  }
  return
}

func.func @double_buffer_c2_not_read(%A: memref<16x8xf32>, %B: memref<16x8xf32>)
    attributes {refused = "double_buffer 'U' in %f"} {
  %T = loop.buffer "T" scope(global) : memref<8xf32>
  loop.for serial %i in 16 {
    loop.for serial %j in 8 {
      loop.block "S" [%v: spatial 16, %w: spatial 8] = (%i, %j) reads(%A[%v : 1, %w : 1]) writes(%T[%w : 1]) {
        %a = memref.load %A[%v, %w] : memref<16x8xf32>
        memref.store %a, %T[%w] : memref<8xf32>
      }
    }
    loop.for serial %j in 8 {
      // expected-error @+1 {{double_buffer: schedule block "U" writes "arg1", expected a serial loop around it in which another statement reads that (C2)}}
      loop.block "U" [%v: spatial 16, %w: spatial 8] = (%i, %j) reads(%T[%w : 1]) writes(%B[%v : 1, %w : 1]) {
        %a = memref.load %T[%w] : memref<8xf32>
        memref.store %a, %B[%v, %w] : memref<16x8xf32>
      }
    }
  }
  return
}

func.func @double_buffer_c2_parallel(%A: memref<16x8xf32>, %B: memref<16x8xf32>)
    attributes {refused = "double_buffer 'S' in %f"} {
  %T = loop.buffer "T" scope(local) : memref<8xf32>
  loop.for parallel %i in 16 {
    loop.for serial %j in 8 {
      // expected-error @+1 {{double_buffer: schedule block "S" writes "T", expected a serial loop around it in which another statement reads that (C2)}}
      loop.block "S" [%v: spatial 16, %w: spatial 8] = (%i, %j) reads(%A[%v : 1, %w : 1]) writes(%T[%w : 1]) {
        %a = memref.load %A[%v, %w] : memref<16x8xf32>
        memref.store %a, %T[%w] : memref<8xf32>
      }
    }
    loop.for serial %j in 8 {
      loop.block "U" [%v: spatial 16, %w: spatial 8] = (%i, %j) reads(%T[%w : 1]) writes(%B[%v : 1, %w : 1]) {
        %a = memref.load %T[%w] : memref<8xf32>
        memref.store %a, %B[%v, %w] : memref<16x8xf32>
      }
    }
  }
  return
}

func.func @double_buffer_c2_elsewhere(%A: memref<16x8xf32>, %B: memref<16x8xf32>)
    attributes {refused = "double_buffer 'S' in %f with ['K']"} {
  %T = loop.buffer "T" scope(global) : memref<8xf32>
  loop.for serial %x in 16 {
      // expected-error @+1 {{double_buffer: loop "S:i" does not enclose schedule block "K" (C2)}}
    loop.block "K" [%v: spatial 16] = (%x) {}
  }
  loop.for serial %i in 16 {
    loop.for serial %j in 8 {
      loop.block "S" [%v: spatial 16, %w: spatial 8] = (%i, %j) reads(%A[%v : 1, %w : 1]) writes(%T[%w : 1]) {
        %a = memref.load %A[%v, %w] : memref<16x8xf32>
        memref.store %a, %T[%w] : memref<8xf32>
      }
    }
    loop.for serial %j in 8 {
      loop.block "U" [%v: spatial 16, %w: spatial 8] = (%i, %j) reads(%T[%w : 1]) writes(%B[%v : 1, %w : 1]) {
        %a = memref.load %T[%w] : memref<8xf32>
        memref.store %a, %B[%v, %w] : memref<16x8xf32>
      }
    }
  }
  return
}

func.func @double_buffer_c2_all_ahead(%A: memref<16x8xf32>, %B: memref<16x8xf32>)
    attributes {refused = "double_buffer 'S' in %f with ['U']"} {
  %T = loop.buffer "T" scope(global) : memref<8xf32>
  // expected-error @+1 {{double_buffer: loop "S:i" cannot be a pipeline: all of its statements would run ahead (C2)}}
  loop.for serial %i in 16 {
    loop.for serial %j in 8 {
      loop.block "S" [%v: spatial 16, %w: spatial 8] = (%i, %j) reads(%A[%v : 1, %w : 1]) writes(%T[%w : 1]) {
        %a = memref.load %A[%v, %w] : memref<16x8xf32>
        memref.store %a, %T[%w] : memref<8xf32>
      }
    }
    loop.for serial %j in 8 {
      loop.block "U" [%v: spatial 16, %w: spatial 8] = (%i, %j) reads(%T[%w : 1]) writes(%B[%v : 1, %w : 1]) {
        %a = memref.load %T[%w] : memref<8xf32>
        memref.store %a, %B[%v, %w] : memref<16x8xf32>
      }
    }
  }
  return
}

func.func @double_buffer_c3_copies(%A: memref<16x8xf32>, %B: memref<16x8xf32>)
    attributes {refused = "double_buffer 'S' in %f copies 1"} {
  %T = loop.buffer "T" scope(global) : memref<8xf32>
  loop.for serial %i in 16 {
    loop.for serial %j in 8 {
      // expected-error @+1 {{double_buffer: found 1 copies, expected 2 to 9 (C3)}}
      loop.block "S" [%v: spatial 16, %w: spatial 8] = (%i, %j) reads(%A[%v : 1, %w : 1]) writes(%T[%w : 1]) {
        %a = memref.load %A[%v, %w] : memref<16x8xf32>
        memref.store %a, %T[%w] : memref<8xf32>
      }
    }
    loop.for serial %j in 8 {
      loop.block "U" [%v: spatial 16, %w: spatial 8] = (%i, %j) reads(%T[%w : 1]) writes(%B[%v : 1, %w : 1]) {
        %a = memref.load %T[%w] : memref<8xf32>
        memref.store %a, %B[%v, %w] : memref<16x8xf32>
      }
    }
  }
  return
}

func.func @double_buffer_c3_many(%A: memref<16x8xf32>, %B: memref<16x8xf32>)
    attributes {refused = "double_buffer 'S' in %f copies 10"} {
  %T = loop.buffer "T" scope(global) : memref<8xf32>
  loop.for serial %i in 16 {
    loop.for serial %j in 8 {
      // expected-error @+1 {{double_buffer: found 10 copies, expected 2 to 9 (C3)}}
      loop.block "S" [%v: spatial 16, %w: spatial 8] = (%i, %j) reads(%A[%v : 1, %w : 1]) writes(%T[%w : 1]) {
        %a = memref.load %A[%v, %w] : memref<16x8xf32>
        memref.store %a, %T[%w] : memref<8xf32>
      }
    }
    loop.for serial %j in 8 {
      loop.block "U" [%v: spatial 16, %w: spatial 8] = (%i, %j) reads(%T[%w : 1]) writes(%B[%v : 1, %w : 1]) {
        %a = memref.load %T[%w] : memref<8xf32>
        memref.store %a, %B[%v, %w] : memref<16x8xf32>
      }
    }
  }
  return
}

func.func @double_buffer_c4_kernel(%A: memref<16x8xf32>, %B: memref<16x8xf32>)
    attributes {refused = "double_buffer 'S' in %f"} {
  %T = loop.buffer "T" scope(global) : memref<8xf32>
  loop.for thread_bind[blockIdx.x] %x in 16 { loop.block "K" [%v: spatial 16] = (%x) {} }
  // expected-error @+1 {{double_buffer: loop "i" cannot be a pipeline: it is a kernel, or has a minimum as its extent (C4)}}
  loop.for serial %i in 16 {
    loop.for serial %j in 8 {
      loop.block "S" [%v: spatial 16, %w: spatial 8] = (%i, %j) reads(%A[%v : 1, %w : 1]) writes(%T[%w : 1]) {
        %a = memref.load %A[%v, %w] : memref<16x8xf32>
        memref.store %a, %T[%w] : memref<8xf32>
      }
    }
    loop.for serial %j in 8 {
      loop.block "U" [%v: spatial 16, %w: spatial 8] = (%i, %j) reads(%T[%w : 1]) writes(%B[%v : 1, %w : 1]) {
        %a = memref.load %T[%w] : memref<8xf32>
        memref.store %a, %B[%v, %w] : memref<16x8xf32>
      }
    }
  }
  return
}

func.func @double_buffer_c4_short(%A: memref<16x8xf32>, %B: memref<16x8xf32>)
    attributes {refused = "double_buffer 'S' in %f copies 3"} {
  %T = loop.buffer "T" scope(global) : memref<8xf32>
  // expected-error @+1 {{double_buffer: loop "i" cannot be a pipeline: it has 2 iterations, expected more than 2, the last stage (C4)}}
  loop.for serial %i in 2 {
    loop.for serial %j in 8 {
      loop.block "S" [%v: spatial 16, %w: spatial 8] = (%i, %j) reads(%A[%v : 1, %w : 1]) writes(%T[%w : 1]) {
        %a = memref.load %A[%v, %w] : memref<16x8xf32>
        memref.store %a, %T[%w] : memref<8xf32>
      }
    }
    loop.for serial %j in 8 {
      loop.block "U" [%v: spatial 16, %w: spatial 8] = (%i, %j) reads(%T[%w : 1]) writes(%B[%v : 1, %w : 1]) {
        %a = memref.load %T[%w] : memref<8xf32>
        memref.store %a, %B[%v, %w] : memref<16x8xf32>
      }
    }
  }
  return
}

func.func @double_buffer_c5_threads(%A: memref<16x8xf32>, %B: memref<16x8xf32>)
    attributes {refused = "double_buffer 'S' in %f"} {
  %T = loop.buffer "T" scope(global) : memref<8xf32>
  loop.for thread_bind[threadIdx.x] %t in 1 {
  // expected-error @+1 {{double_buffer: loop "i" cannot be a pipeline: it contains a barrier, and a thread loop encloses it (C5)}}
  loop.for serial %i in 16 {
    loop.for serial %j in 8 {
      loop.block "S" [%v: spatial 16, %w: spatial 8] = (%i, %j) reads(%A[%v : 1, %w : 1]) writes(%T[%w : 1]) {
        %a = memref.load %A[%v, %w] : memref<16x8xf32>
        memref.store %a, %T[%w] : memref<8xf32>
      }
    }
    loop.sync
    loop.for serial %j in 8 {
      loop.block "U" [%v: spatial 16, %w: spatial 8] = (%i, %j) reads(%T[%w : 1]) writes(%B[%v : 1, %w : 1]) {
        %a = memref.load %T[%w] : memref<8xf32>
        memref.store %a, %B[%v, %w] : memref<16x8xf32>
      }
    }
  }
  }
  return
}

func.func @double_buffer_c6_reduces(%A: memref<20x8xi32>, %B: memref<2x8xi32>)
    attributes {refused = "double_buffer 'S' in %f"} {
  %T = loop.buffer "T" scope(global) : memref<8xi32>
  // expected-error @+1 {{double_buffer: loop "i" cannot be a pipeline: "R" both reduces over it and indexes its result by it (C6)}}
  loop.for serial %i in 20 {
    loop.for serial %j in 8 {
      loop.block "S" [%v: spatial 20, %w: spatial 8] = (%i, %j) reads(%A[%v : 1, %w : 1]) writes(%T[%w : 1]) {
        %a = memref.load %A[%v, %w] : memref<20x8xi32>
        memref.store %a, %T[%w] : memref<8xi32>
      }
    }
    loop.for serial %j in 8 {
      loop.block "R" [%v: spatial 2, %vk: reduce 10, %w: spatial 8] = (%i floordiv 10, %i mod 10, %j)
          reads(%T[%w : 1]) writes(%B[%v : 1, %w : 1]) reducer(add, 0) {
        loop.init {
          %zero = arith.constant 0 : i32
          memref.store %zero, %B[%v, %w] : memref<2x8xi32>
        }
        %a = memref.load %T[%w] : memref<8xi32>
        %s = memref.load %B[%v, %w] : memref<2x8xi32>
        %r = arith.addi %s, %a : i32
        memref.store %r, %B[%v, %w] : memref<2x8xi32>
      }
    }
  }
  return
}

// An argument has no copies.
func.func @double_buffer_c7_argument(%A: memref<16x8xf32>, %B: memref<16x8xf32>, %T: memref<8xf32>)
    attributes {refused = "double_buffer 'S' in %f"} {
  // expected-error @+1 {{double_buffer: the statements of loop "i" are not proved to keep their order as a pipeline: iterations i = 0, j = 0 of "U" (reads) and iterations i = 1, j = 0 of "S" (writes) both access "arg2"[0] (C7)}}
  loop.for serial %i in 16 {
    loop.for serial %j in 8 {
      loop.block "S" [%v: spatial 16, %w: spatial 8] = (%i, %j) reads(%A[%v : 1, %w : 1]) writes(%T[%w : 1]) {
        %a = memref.load %A[%v, %w] : memref<16x8xf32>
        memref.store %a, %T[%w] : memref<8xf32>
      }
    }
    loop.for serial %j in 8 {
      loop.block "U" [%v: spatial 16, %w: spatial 8] = (%i, %j) reads(%T[%w : 1]) writes(%B[%v : 1, %w : 1]) {
        %a = memref.load %T[%w] : memref<8xf32>
        memref.store %a, %B[%v, %w] : memref<16x8xf32>
      }
    }
  }
  return
}
