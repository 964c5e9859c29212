// RUN: lw-opt %s -verify-diagnostics --sched-expect-refusal

// expected-error @+1 {{software_pipeline: there is no schedule block "X", there are "S" (C1)}}
func.func @software_pipeline_c1_no_block() attributes {refused = "software_pipeline 'X:i' in %f stages [0] order [0]"} {
  loop.for serial %i in 4 { loop.block "S" [%v: spatial 4] = (%i) {} }
  return
}

func.func @software_pipeline_c1_stages(%A: memref<16x8xf32>, %B: memref<16x8xf32>)
    attributes {refused = "software_pipeline 'S:i' in %f stages [0] order [0, 1]"} {
  %T = loop.buffer "T" scope(global) : memref<8xf32>
  // expected-error @+1 {{software_pipeline: loop "i" cannot be a pipeline: found 1 stages, expected one for each of the 2 statements (C1)}}
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

func.func @software_pipeline_c1_places(%A: memref<16x8xf32>, %B: memref<16x8xf32>)
    attributes {refused = "software_pipeline 'S:i' in %f stages [0, 1] order []"} {
  %T = loop.buffer "T" scope(global) : memref<8xf32>
  // expected-error @+1 {{software_pipeline: loop "i" cannot be a pipeline: found 0 places, expected one for each of the 2 statements (C1)}}
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

func.func @software_pipeline_c2_stage(%A: memref<16x8xf32>, %B: memref<16x8xf32>)
    attributes {refused = "software_pipeline 'S:i' in %f stages [0, 9] order [0, 1]"} {
  %T = loop.buffer "T" scope(global) : memref<8xf32>
  // expected-error @+1 {{software_pipeline: loop "i" cannot be a pipeline: found stages [0, 9], expected numbers from 0 to 8 that include 0 (C2)}}
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

func.func @software_pipeline_c2_no_first(%A: memref<16x8xf32>, %B: memref<16x8xf32>)
    attributes {refused = "software_pipeline 'S:i' in %f stages [1, 2] order [0, 1]"} {
  %T = loop.buffer "T" scope(global) : memref<8xf32>
  // expected-error @+1 {{software_pipeline: loop "i" cannot be a pipeline: found stages [1, 2], expected numbers from 0 to 8 that include 0 (C2)}}
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

func.func @software_pipeline_c2_order(%A: memref<16x8xf32>, %B: memref<16x8xf32>)
    attributes {refused = "software_pipeline 'S:i' in %f stages [0, 1] order [1, 1]"} {
  %T = loop.buffer "T" scope(global) : memref<8xf32>
  // expected-error @+1 {{software_pipeline: loop "i" cannot be a pipeline: found places [1, 1], expected each of 0 to 1 once (C2)}}
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

func.func @software_pipeline_c3_kind(%A: memref<16x8xf32>, %B: memref<16x8xf32>)
    attributes {refused = "software_pipeline 'S:i' in %f stages [0, 1] order [0, 1]"} {
  %T = loop.buffer "T" scope(global) : memref<8xf32>
  // expected-error @+1 {{software_pipeline: loop "i" cannot be a pipeline: it is unroll, expected a serial loop (C3)}}
  loop.for unroll %i in 16 {
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

func.func @software_pipeline_c3_minimum(%A: memref<16x8xf32>, %B: memref<16x8xf32>)
    attributes {refused = "software_pipeline 'S:i' in %f stages [0, 1] order [0, 1]"} {
  %T = loop.buffer "T" scope(global) : memref<8xf32>
  loop.for serial %o in 2 {
  // expected-error @+1 {{software_pipeline: loop "i" cannot be a pipeline: it is a kernel, or has a minimum as its extent (C3)}}
  loop.for serial %i in min affine_map<(d0) -> (16, d0 + 1)>(%o) {
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
  }
  return
}

func.func @software_pipeline_c3_kernel(%A: memref<16x8xf32>, %B: memref<16x8xf32>)
    attributes {refused = "software_pipeline 'S:i' in %f stages [0, 1] order [0, 1]"} {
  %T = loop.buffer "T" scope(global) : memref<8xf32>
  loop.for thread_bind[blockIdx.x] %x in 16 { loop.block "K" [%v: spatial 16] = (%x) {} }
  // expected-error @+1 {{software_pipeline: loop "i" cannot be a pipeline: it is a kernel, or has a minimum as its extent (C3)}}
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

func.func @software_pipeline_c3_short(%A: memref<16x8xf32>, %B: memref<16x8xf32>)
    attributes {refused = "software_pipeline 'S:i' in %f stages [0, 2] order [0, 1]"} {
  %T = loop.buffer "T" scope(global) : memref<8xf32>
  // expected-error @+1 {{software_pipeline: loop "i" cannot be a pipeline: it has 2 iterations, expected more than 2, the last stage (C3)}}
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

func.func @software_pipeline_c4_threads(%A: memref<16x8xf32>, %B: memref<16x8xf32>)
    attributes {refused = "software_pipeline 'S:i' in %f stages [0, 1] order [0, 1]"} {
  %T = loop.buffer "T" scope(global) : memref<8xf32>
  loop.for thread_bind[threadIdx.x] %t in 1 {
  // expected-error @+1 {{software_pipeline: loop "i" cannot be a pipeline: it contains a barrier, and a thread loop encloses it (C4)}}
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

func.func @software_pipeline_c5_reduces(%A: memref<20x8xi32>, %B: memref<2x8xi32>)
    attributes {refused = "software_pipeline 'S:i' in %f stages [0, 1] order [0, 1]"} {
  %T = loop.buffer "T" scope(global) : memref<8xi32>
  // expected-error @+1 {{software_pipeline: loop "i" cannot be a pipeline: "R" both reduces over it and indexes its result by it (C5)}}
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

// The reader would be ahead.
func.func @software_pipeline_c6_backwards(%A: memref<16x8xf32>, %B: memref<16x8xf32>)
    attributes {refused = "software_pipeline 'S:i' in %f stages [1, 0] order [0, 1]"} {
  %T = loop.buffer "T" scope(global) : memref<8xf32>
  // expected-error @+1 {{software_pipeline: the statements of loop "i" are not proved to keep their order as a pipeline: iterations i = 6, j = 0 of "S" (writes) and iterations i = 6, j = 0 of "U" (reads) both access "T"[0] (C6)}}
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

// An argument has no copies.
func.func @software_pipeline_c6_argument(%A: memref<16x8xf32>, %B: memref<16x8xf32>, %T: memref<8xf32>)
    attributes {refused = "software_pipeline 'S:i' in %f stages [0, 1] order [0, 1]"} {
  // expected-error @+1 {{software_pipeline: the statements of loop "i" are not proved to keep their order as a pipeline: iterations i = 0, j = 0 of "U" (reads) and iterations i = 1, j = 0 of "S" (writes) both access "arg2"[0] (C6)}}
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

// The sum starts in the iteration after the first.
func.func @software_pipeline_c5_starts_later(%A: memref<8xi32>, %S: memref<i32>)
    attributes {refused = "software_pipeline 'P:k' in %f stages [0, 1] order [0, 1]"} {
  %T = loop.buffer "T" scope(global) : memref<8xi32>
  // expected-error @+1 {{software_pipeline: loop "k" cannot be a pipeline: "R" is not known to start in its first iteration (C5)}}
  loop.for serial %k in 9 {
    loop.block "P" [%v: spatial 8] = (%k - 1) where(%k - 1 >= 0) reads(%A[%v : 1]) writes(%T[%v : 1]) {
      %a = memref.load %A[%v] : memref<8xi32>
      memref.store %a, %T[%v] : memref<8xi32>
    }
    loop.block "R" [%v: reduce 8] = (%k - 1) where(%k - 1 >= 0) reads(%T[%v : 1]) writes(%S[]) reducer(add, 0) {
      loop.init {
        %z = arith.constant 0 : i32
        memref.store %z, %S[] : memref<i32>
      }
      %a = memref.load %T[%v] : memref<8xi32>
      %s = memref.load %S[] : memref<i32>
      %r = arith.addi %s, %a : i32
      memref.store %r, %S[] : memref<i32>
    }
  }
  return
}

// Statements of one stage keep the order of iterations, but not their order within an iteration.
func.func @software_pipeline_c6_one_stage(%A: memref<16x8xf32>, %B: memref<16x8xf32>)
    attributes {refused = "software_pipeline 'S:i' in %f stages [0, 0] order [1, 0]"} {
  %T = loop.buffer "T" scope(global) : memref<16x8xf32>
  // expected-error @+1 {{software_pipeline: the statements of loop "i" are not proved to keep their order as a pipeline: iterations i = 0, j = 0 of "S" (writes) and iterations i = 0, j = 0 of "U" (reads) both access "T"[0, 0] (C6)}}
  loop.for serial %i in 16 {
    loop.for serial %j in 8 {
      loop.block "S" [%v: spatial 16, %w: spatial 8] = (%i, %j) reads(%A[%v : 1, %w : 1]) writes(%T[%v : 1, %w : 1]) {
        %a = memref.load %A[%v, %w] : memref<16x8xf32>
        memref.store %a, %T[%v, %w] : memref<16x8xf32>
      }
    }
    loop.for serial %j in 8 {
      loop.block "U" [%v: spatial 16, %w: spatial 8] = (%i, %j) reads(%T[%v : 1, %w : 1]) writes(%B[%v : 1, %w : 1]) {
        %a = memref.load %T[%v, %w] : memref<16x8xf32>
        memref.store %a, %B[%v, %w] : memref<16x8xf32>
      }
    }
  }
  return
}
