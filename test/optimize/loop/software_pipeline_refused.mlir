// RUN: lw-opt %s --software-pipeline --split-input-file --verify-diagnostics

func.func @c1_number(%A: memref<16x8xf32>, %B: memref<16x8xf32>) {
  %T = loop.buffer "T" scope(global) : memref<8xf32>
  // expected-error @+1 {{has no text as "software_pipeline_stage", expected a number for each of the 2 statements (C1)}}
  loop.for serial %i in 16 attributes {loop.annotations = {software_pipeline_order = "0, 1", software_pipeline_stage = 4}} {
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

// -----

func.func @c1_count(%A: memref<16x8xf32>, %B: memref<16x8xf32>) {
  %T = loop.buffer "T" scope(global) : memref<8xf32>
  // expected-error @+1 {{has "0, 1, 1" as "software_pipeline_stage", expected a number for each of the 2 statements (C1)}}
  loop.for serial %i in 16 attributes {loop.annotations = {software_pipeline_order = "0, 1", software_pipeline_stage = "0, 1, 1"}} {
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

// -----

func.func @c1_missing(%A: memref<16x8xf32>, %B: memref<16x8xf32>) {
  %T = loop.buffer "T" scope(global) : memref<8xf32>
  // expected-error @+1 {{has no text as "software_pipeline_order", expected a number for each of the 2 statements (C1)}}
  loop.for serial %i in 16 attributes {loop.annotations = {software_pipeline_stage = "0, 1"}} {
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

// -----

func.func @c2_stage(%A: memref<16x8xf32>, %B: memref<16x8xf32>) {
  %T = loop.buffer "T" scope(global) : memref<8xf32>
  // expected-error @+1 {{has stages [1, 2], expected numbers from 0 to 8 that include 0 (C2)}}
  loop.for serial %i in 16 attributes {loop.annotations = {software_pipeline_order = "0, 1", software_pipeline_stage = "1, 2"}} {
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

// -----

func.func @c2_order(%A: memref<16x8xf32>, %B: memref<16x8xf32>) {
  %T = loop.buffer "T" scope(global) : memref<8xf32>
  // expected-error @+1 {{has places [0, 2], expected each of 0 to 1 once (C2)}}
  loop.for serial %i in 16 attributes {loop.annotations = {software_pipeline_order = "0, 2", software_pipeline_stage = "0, 1"}} {
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

// -----

func.func @c3_kind(%A: memref<16x8xf32>, %B: memref<16x8xf32>) {
  %T = loop.buffer "T" scope(global) : memref<8xf32>
  // expected-error @+1 {{software_pipeline: loop "i" cannot be a pipeline: it is unroll, expected a serial loop (C3)}}
  loop.for unroll %i in 16 attributes {loop.annotations = {software_pipeline_order = "0, 1", software_pipeline_stage = "0, 1"}} {
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

// -----

func.func @c3_minimum(%A: memref<16x8xf32>, %B: memref<16x8xf32>) {
  %T = loop.buffer "T" scope(global) : memref<8xf32>
  loop.for serial %o in 2 {
  // expected-error @+1 {{software_pipeline: loop "i" cannot be a pipeline: it is a kernel, or has a minimum as its extent (C3)}}
  loop.for serial %i in min affine_map<(d0) -> (16, d0 + 1)>(%o) attributes {loop.annotations = {software_pipeline_order = "0, 1", software_pipeline_stage = "0, 1"}} {
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

// -----

func.func @c3_short(%A: memref<16x8xf32>, %B: memref<16x8xf32>) {
  %T = loop.buffer "T" scope(global) : memref<8xf32>
  // expected-error @+1 {{software_pipeline: loop "i" cannot be a pipeline: it has 2 iterations, expected at least 3, the last stage (C3)}}
  loop.for serial %i in 2 attributes {loop.annotations = {software_pipeline_order = "0, 1", software_pipeline_stage = "0, 3"}} {
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

// -----

func.func @c4(%A: memref<16x8xf32>, %B: memref<16x8xf32>) {
  %T = loop.buffer "T" scope(global) : memref<8xf32>
  loop.for thread_bind[threadIdx.x] %t in 1 {
  // expected-error @+1 {{software_pipeline: loop "i" cannot be a pipeline: it contains a barrier, and a thread loop encloses it (C4)}}
  loop.for serial %i in 16 attributes {loop.annotations = {software_pipeline_order = "0, 1", software_pipeline_stage = "0, 1"}} {
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

// -----

func.func @c6(%A: memref<16x8xf32>, %B: memref<16x8xf32>) {
  %T = loop.buffer "T" scope(global) : memref<8xf32>
  // expected-error @+1 {{software_pipeline: the statements of loop "i" are not proved to keep their order as a pipeline: iteration}}
  loop.for serial %i in 16 attributes {loop.annotations = {software_pipeline_order = "0, 1", software_pipeline_stage = "1, 0"}} {
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

// -----

func.func @c5(%A: memref<20x8xi32>, %S: memref<2x8xi32>) {
  %T = loop.buffer "T" scope(global) : memref<8xi32>
  // expected-error @+1 {{software_pipeline: loop "i" cannot be a pipeline: "R" both reduces over it and indexes its result by it (C5)}}
  loop.for serial %i in 20 attributes {loop.annotations = {software_pipeline_order = "0, 1", software_pipeline_stage = "0, 1"}} {
    loop.for serial %j in 8 {
      loop.block "S" [%v: spatial 20, %w: spatial 8] = (%i, %j) reads(%A[%v : 1, %w : 1]) writes(%T[%w : 1]) {
        %a = memref.load %A[%v, %w] : memref<20x8xi32>
        memref.store %a, %T[%w] : memref<8xi32>
      }
    }
    loop.for serial %j in 8 {
      loop.block "R" [%v: spatial 2, %vk: reduce 10, %w: spatial 8] = (%i floordiv 10, %i mod 10, %j)
          reads(%T[%w : 1]) writes(%S[%v : 1, %w : 1]) reducer(add, 0) {
        loop.init {
          %zero = arith.constant 0 : i32
          memref.store %zero, %S[%v, %w] : memref<2x8xi32>
        }
        %a = memref.load %T[%w] : memref<8xi32>
        %s = memref.load %S[%v, %w] : memref<2x8xi32>
        %r = arith.addi %s, %a : i32
        memref.store %r, %S[%v, %w] : memref<2x8xi32>
      }
    }
  }
  return
}

// -----

// A value that the next iteration reads has no copy: the two iterations would be swapped.
func.func @c6_flow(%A: memref<16x8xf32>) {
  // expected-error @+1 {{software_pipeline: the statements of loop "i" are not proved to keep their order as a pipeline: iteration}}
  loop.for serial %i in 15 attributes {loop.annotations = {software_pipeline_order = "0, 1", software_pipeline_stage = "0, 1"}} {
    loop.for serial %j in 8 {
      loop.block "S" [%v: spatial 15, %w: spatial 8] = (%i, %j) reads(%A[%v + 1 : 1, %w : 1]) writes(%A[%v : 1, %w : 1]) {
        %0 = affine.apply affine_map<(d0) -> (d0 + 1)>(%v)
        %a = memref.load %A[%0, %w] : memref<16x8xf32>
        memref.store %a, %A[%v, %w] : memref<16x8xf32>
      }
    }
    loop.for serial %j in 8 {
      loop.block "U" [%v: spatial 15, %w: spatial 8] = (%i, %j) reads() writes(%A[%v + 1 : 1, %w : 1]) {
        %0 = affine.apply affine_map<(d0) -> (d0 + 1)>(%v)
        %a = arith.constant 1.0 : f32
        memref.store %a, %A[%0, %w] : memref<16x8xf32>
      }
    }
  }
  return
}

// -----

// A schedule block around one of the accesses hides the loop: the buffer has no copies.
func.func @c6_hidden(%A: memref<16x8xf32>, %B: memref<16x8xf32>) {
  %T = loop.buffer "T" scope(global) : memref<8xf32>
  // expected-error @+1 {{software_pipeline: the statements of loop "i" are not proved to keep their order as a pipeline: iteration}}
  loop.for serial %i in 16 attributes {loop.annotations = {software_pipeline_order = "0, 1", software_pipeline_stage = "0, 1"}} {
    loop.block "N" [%v: spatial 16] = (%i) reads(%A[%v : 1, 0 : 8]) writes(%T[0 : 8]) {
      loop.for serial %j in 8 {
        loop.block "S" [%u: spatial 16, %w: spatial 8] = (%v, %j) reads(%A[%u : 1, %w : 1]) writes(%T[%w : 1]) {
          %a = memref.load %A[%u, %w] : memref<16x8xf32>
          memref.store %a, %T[%w] : memref<8xf32>
        }
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

// -----

func.func @c1_block(%A: memref<16xf32>) {
  loop.for serial %i in 16 {
    // expected-error @+1 {{has annotation "software_pipeline_stage", expected on a loop (C1)}}
    loop.block "S" [%v: spatial 16] = (%i) writes(%A[%v : 1])
        attributes {loop.annotations = {software_pipeline_order = "0", software_pipeline_stage = "0"}} {
      %a = arith.constant 1.0 : f32
      memref.store %a, %A[%v] : memref<16xf32>
    }
  }
  return
}
