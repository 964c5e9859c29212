// RUN: lw-opt %s --software-pipeline --split-input-file --mlir-print-local-scope | FileCheck %s
// RUN: lw-opt %s --software-pipeline --software-pipeline --split-input-file --verify-each=numeric \
// RUN:   --mlir-print-local-scope | FileCheck %s

// CHECK-LABEL: func.func @copy_and_add(
// CHECK:         %[[T:.*]] = loop.buffer "T" scope(global) : memref<2x8xf32>
// CHECK-NEXT:    loop.for serial %j in 8 {
// CHECK-NEXT:      loop.block "S.prologue" [%v: spatial 16, %w: spatial 8, %version: spatial 2] = (0, %j, 0)
// CHECK-NEXT:          reads(%{{.*}}[%v : 1, %w : 1]) writes(%[[T]][%version : 1, %w : 1])
// CHECK:         loop.for serial %i in 15 {
// CHECK:             loop.block "S" {{.*}} = (%i + 1, %j, (%i + 1) mod 2)
// CHECK:             loop.block "U" {{.*}} = (%i, %j, %i mod 2)
// CHECK:               memref.load %[[T]][%version, %w]
// CHECK:         loop.for serial %j in 8 {
// CHECK-NEXT:      loop.block "U.epilogue" {{.*}} = (15, %j, 1)
// CHECK-NOT:       annotations
func.func @copy_and_add(%A: memref<16x8xf32>, %B: memref<16x8xf32>) {
  %T = loop.buffer "T" scope(global) : memref<8xf32>
  loop.for serial %i in 16 attributes {loop.annotations = {software_pipeline_order = "0, 1", software_pipeline_stage = "0, 1"}} {
    loop.for serial %j in 8 {
      loop.block "S" [%v: spatial 16, %w: spatial 8] = (%i, %j) reads(%A[%v : 1, %w : 1]) writes(%T[%w : 1]) {
        %a = memref.load %A[%v, %w] : memref<16x8xf32>
        memref.store %a, %T[%w] : memref<8xf32>
      }
    }
    loop.for serial %j in 8 {
      loop.block "U" [%v: spatial 16, %w: spatial 8] = (%i, %j) reads(%T[%w : 1]) writes(%B[%v : 1, %w : 1]) {
        %a = memref.load %T[%w] : memref<8xf32>
        %b = arith.addf %a, %a : f32
        memref.store %b, %B[%v, %w] : memref<16x8xf32>
      }
    }
  }
  return
}

// -----

// A tiled matmul with copies in shared memory: two barriers per iteration become one.
// CHECK-LABEL: func.func @matmul(
// CHECK:         loop.buffer "As" scope(shared) : memref<2x8x4xf32>
// CHECK:         loop.buffer "Bs" scope(shared) : memref<2x4x8xf32>
// CHECK:             loop.block "As.prologue" {{.*}} = (%by, 0, %ty, %tx, 0)
// CHECK:             loop.block "Bs.prologue" {{.*}} = (%bx, 0, %ty, %tx, 0)
// CHECK:         loop.sync
// CHECK-NEXT:    loop.for serial %k.0 in 7 {
// CHECK-NOT:       loop.sync
// CHECK:             loop.block "As" {{.*}} = (%by, %k.0 + 1, %ty, %tx, (%k.0 + 1) mod 2)
// CHECK-NOT:       loop.sync
// CHECK:             loop.block "C" {{.*}}, %k.0, %k.1, %k.0 mod 2, %k.0 mod 2)
// CHECK:               loop.init
// CHECK:           loop.sync
// CHECK-NEXT:    }
// CHECK:             loop.block "C.epilogue" {{.*}}, 7, %k.1, 1, 1)
// CHECK-NOT:           loop.init
// CHECK:         loop.sync
// CHECK-NOT:     loop.sync
func.func @matmul(%A: memref<16x32xf32>, %B: memref<32x16xf32>, %C: memref<16x16xf32>) {
  %As = loop.buffer "As" scope(shared) : memref<8x4xf32>
  %Bs = loop.buffer "Bs" scope(shared) : memref<4x8xf32>
  loop.for thread_bind[blockIdx.y] %by in 2 {
    loop.for thread_bind[blockIdx.x] %bx in 2 {
      loop.for serial %k.0 in 8 attributes {loop.annotations = {software_pipeline_order = "0, 1, 2", software_pipeline_stage = "0, 0, 1"}} {
        loop.for thread_bind[threadIdx.y] %ty in 8 {
          loop.for thread_bind[threadIdx.x] %tx in 8 {
            loop.block "As" [%y: spatial 2, %k: spatial 8, %v: spatial 8, %w: spatial 4] = (%by, %k.0, %ty, %tx)
                where(-%tx + 3 >= 0) reads(%A[%y * 8 + %v : 1, %k * 4 + %w : 1]) writes(%As[%v : 1, %w : 1]) {
              %0 = affine.apply affine_map<(d0, d1) -> (d0 * 8 + d1)>(%y, %v)
              %1 = affine.apply affine_map<(d0, d1) -> (d0 * 4 + d1)>(%k, %w)
              %a = memref.load %A[%0, %1] : memref<16x32xf32>
              memref.store %a, %As[%v, %w] : memref<8x4xf32>
            }
          }
        }
        loop.for thread_bind[threadIdx.y] %ty in 8 {
          loop.for thread_bind[threadIdx.x] %tx in 8 {
            loop.block "Bs" [%x: spatial 2, %k: spatial 8, %v: spatial 4, %w: spatial 8] = (%bx, %k.0, %ty, %tx)
                where(-%ty + 3 >= 0) reads(%B[%k * 4 + %v : 1, %x * 8 + %w : 1]) writes(%Bs[%v : 1, %w : 1]) {
              %0 = affine.apply affine_map<(d0, d1) -> (d0 * 4 + d1)>(%k, %v)
              %1 = affine.apply affine_map<(d0, d1) -> (d0 * 8 + d1)>(%x, %w)
              %b = memref.load %B[%0, %1] : memref<32x16xf32>
              memref.store %b, %Bs[%v, %w] : memref<4x8xf32>
            }
          }
        }
        loop.sync
        loop.for thread_bind[threadIdx.y] %ty in 8 {
          loop.for thread_bind[threadIdx.x] %tx in 8 {
            loop.for serial %k.1 in 4 {
              loop.block "C" [%y: spatial 2, %x: spatial 2, %vi: spatial 8, %vj: spatial 8, %vk: reduce 8, %vl: reduce 4] =
                  (%by, %bx, %ty, %tx, %k.0, %k.1)
                  reads(%As[%vi : 1, %vl : 1], %Bs[%vl : 1, %vj : 1]) writes(%C[%y * 8 + %vi : 1, %x * 8 + %vj : 1])
                  reducer(add, 0.0) {
                loop.init {
                  %0 = affine.apply affine_map<(d0, d1) -> (d0 * 8 + d1)>(%y, %vi)
                  %1 = affine.apply affine_map<(d0, d1) -> (d0 * 8 + d1)>(%x, %vj)
                  %zero = arith.constant 0.0 : f32
                  memref.store %zero, %C[%0, %1] : memref<16x16xf32>
                }
                %0 = affine.apply affine_map<(d0, d1) -> (d0 * 8 + d1)>(%y, %vi)
                %1 = affine.apply affine_map<(d0, d1) -> (d0 * 8 + d1)>(%x, %vj)
                %a = memref.load %As[%vi, %vl] : memref<8x4xf32>
                %b = memref.load %Bs[%vl, %vj] : memref<4x8xf32>
                %p = arith.mulf %a, %b : f32
                %c = memref.load %C[%0, %1] : memref<16x16xf32>
                %s = arith.addf %c, %p : f32
                memref.store %s, %C[%0, %1] : memref<16x16xf32>
              }
            }
          }
        }
        loop.sync
      }
    }
  }
  return
}

// -----

// Three stages, and an extent that may be less than two: then the original loop runs. The first statement in the text
// is the last one in the body.
// CHECK-LABEL: func.func @three(
// CHECK:         loop.buffer "T" scope(global) : memref<2x4xf32>
// CHECK:         loop.buffer "U" scope(global) : memref<2x4xf32>
// CHECK:         loop.if ({{.*}} - 2 >= 0) {
// CHECK:             loop.block "T.prologue"
// CHECK:             loop.block "U.prologue"
// CHECK:             loop.block "T.prologue_1"
// CHECK:           loop.for serial %i in affine_map<()[s0] -> (s0 - 2)>()
// CHECK:               loop.block "B" {{.*}} = (%i,
// CHECK:               loop.block "U" {{.*}} = (%i + 1,
// CHECK:               loop.block "T" {{.*}} = (%i + 2,
// CHECK:             loop.block "B.epilogue"
// CHECK:             loop.block "U.epilogue"
// CHECK:             loop.block "B.epilogue_1"
// CHECK:         } else {
// CHECK-NEXT:      loop.for serial %i in %
// CHECK:             loop.block "T.fallback"
func.func @three(%A: memref<?x4xf32>, %B: memref<?x4xf32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %A, %c0 : memref<?x4xf32>
  %T = loop.buffer "T" scope(global) : memref<4xf32>
  %U = loop.buffer "U" scope(global) : memref<4xf32>
  loop.for serial %i in %n attributes {loop.annotations = {software_pipeline_order = "2, 1, 0", software_pipeline_stage = "0,1,2"}} {
    loop.for serial %j in 4 {
      loop.block "T" [%v: spatial %n, %w: spatial 4] = (%i, %j) reads(%A[%v : 1, %w : 1]) writes(%T[%w : 1]) {
        %a = memref.load %A[%v, %w] : memref<?x4xf32>
        memref.store %a, %T[%w] : memref<4xf32>
      }
    }
    loop.for serial %j in 4 {
      loop.block "U" [%v: spatial %n, %w: spatial 4] = (%i, %j) reads(%T[-%w + 3 : 1]) writes(%U[%w : 1]) {
        %0 = affine.apply affine_map<(d0) -> (3 - d0)>(%w)
        %a = memref.load %T[%0] : memref<4xf32>
        memref.store %a, %U[%w] : memref<4xf32>
      }
    }
    loop.for serial %j in 4 {
      loop.block "B" [%v: spatial %n, %w: spatial 4] = (%i, %j) reads(%U[%w : 1]) writes(%B[%v : 1, %w : 1]) {
        %a = memref.load %U[%w] : memref<4xf32>
        memref.store %a, %B[%v, %w] : memref<?x4xf32>
      }
    }
  }
  return
}

// -----

// In textual order.
// CHECK-LABEL: func.func @in_order(
// CHECK:         loop.buffer "T" scope(global) : memref<2x4xf32>
// CHECK:         loop.buffer "U" scope(global) : memref<2x4xf32>
// CHECK:           loop.for serial %i in affine_map<()[s0] -> (s0 - 2)>()
// CHECK:               loop.block "T" {{.*}} = (%i + 2, %j, %i mod 2)
// CHECK:               loop.block "U" {{.*}} = (%i + 1, %j, (%i + 1) mod 2, (%i + 1) mod 2)
// CHECK:               loop.block "B" {{.*}} = (%i, %j, %i mod 2)
func.func @in_order(%A: memref<?x4xf32>, %B: memref<?x4xf32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %A, %c0 : memref<?x4xf32>
  %T = loop.buffer "T" scope(global) : memref<4xf32>
  %U = loop.buffer "U" scope(global) : memref<4xf32>
  loop.for serial %i in %n attributes {loop.annotations = {software_pipeline_order = "0, 1, 2", software_pipeline_stage = "0,1,2"}} {
    loop.for serial %j in 4 {
      loop.block "T" [%v: spatial %n, %w: spatial 4] = (%i, %j) reads(%A[%v : 1, %w : 1]) writes(%T[%w : 1]) {
        %a = memref.load %A[%v, %w] : memref<?x4xf32>
        memref.store %a, %T[%w] : memref<4xf32>
      }
    }
    loop.for serial %j in 4 {
      loop.block "U" [%v: spatial %n, %w: spatial 4] = (%i, %j) reads(%T[-%w + 3 : 1]) writes(%U[%w : 1]) {
        %0 = affine.apply affine_map<(d0) -> (3 - d0)>(%w)
        %a = memref.load %T[%0] : memref<4xf32>
        memref.store %a, %U[%w] : memref<4xf32>
      }
    }
    loop.for serial %j in 4 {
      loop.block "B" [%v: spatial %n, %w: spatial 4] = (%i, %j) reads(%U[%w : 1]) writes(%B[%v : 1, %w : 1]) {
        %a = memref.load %U[%w] : memref<4xf32>
        memref.store %a, %B[%v, %w] : memref<?x4xf32>
      }
    }
  }
  return
}

// -----

// The last stage starts a reduction: the new loop must run.
// CHECK-LABEL: func.func @sum(
// CHECK:         loop.if (symbol(%arg0) - 3 >= 0) {
// CHECK:           loop.for serial %i in affine_map<()[s0] -> (s0 - 2)>()[%arg0] {
// CHECK:             loop.block "U"
// CHECK:               loop.init
// CHECK:           loop.block "U.epilogue"
// CHECK-NOT:         loop.init
// CHECK:         } else {
// CHECK:           loop.block "U.fallback"
// CHECK:             loop.init
func.func @sum(%n: index, %A: memref<?x8xf32>, %B: memref<8xf32> {loop.result}) {
  %T = loop.buffer "T" scope(global) : memref<8xf32>
  loop.for serial %i in %n attributes {loop.annotations = {software_pipeline_order = "0, 1", software_pipeline_stage = "0, 2"}} {
    loop.for serial %j in 8 {
      loop.block "S" [%u: spatial %n, %w: spatial 8] = (%i, %j) reads(%A[%u : 1, %w : 1]) writes(%T[%w : 1]) {
        %a = memref.load %A[%u, %w] : memref<?x8xf32>
        memref.store %a, %T[%w] : memref<8xf32>
      }
    }
    loop.for serial %j in 8 {
      loop.block "U" [%w: spatial 8, %r: reduce %n] = (%j, %i) reads(%T[%w : 1]) writes(%B[%w : 1]) reducer(add, 0.0) {
        loop.init {
          %z = arith.constant 2.0 : f32
          memref.store %z, %B[%w] : memref<8xf32>
        }
        %a = memref.load %T[%w] : memref<8xf32>
        %t = memref.load %B[%w] : memref<8xf32>
        %b = arith.addf %a, %t : f32
        memref.store %b, %B[%w] : memref<8xf32>
      }
    }
  }
  return
}

// -----

// The loop is known not to run: it is removed, and the first iteration follows directly.
// CHECK-LABEL: func.func @sum_of_two(
// CHECK-NOT:     loop.for serial %i
// CHECK:         loop.block "U.epilogue" {{.*}} = (%j, 0, 0)
// CHECK:           loop.init
// CHECK:         loop.block "U.epilogue_1" {{.*}} = (%j, 1, 1)
// CHECK-NOT:       loop.init
func.func @sum_of_two(%A: memref<2x8xf32>, %B: memref<8xf32> {loop.result}) {
  %T = loop.buffer "T" scope(global) : memref<8xf32>
  loop.for serial %i in 2 attributes {loop.annotations = {software_pipeline_order = "0, 1", software_pipeline_stage = "0, 2"}} {
    loop.for serial %j in 8 {
      loop.block "S" [%u: spatial 2, %w: spatial 8] = (%i, %j) reads(%A[%u : 1, %w : 1]) writes(%T[%w : 1]) {
        %a = memref.load %A[%u, %w] : memref<2x8xf32>
        memref.store %a, %T[%w] : memref<8xf32>
      }
    }
    loop.for serial %j in 8 {
      loop.block "U" [%w: spatial 8, %r: reduce 2] = (%j, %i) reads(%T[%w : 1]) writes(%B[%w : 1]) reducer(add, 0.0) {
        loop.init {
          %z = arith.constant 2.0 : f32
          memref.store %z, %B[%w] : memref<8xf32>
        }
        %a = memref.load %T[%w] : memref<8xf32>
        %t = memref.load %B[%w] : memref<8xf32>
        %b = arith.addf %a, %t : f32
        memref.store %b, %B[%w] : memref<8xf32>
      }
    }
  }
  return
}

// -----

// In a thread loop without barriers, each thread has its own (C4).
// CHECK-LABEL: func.func @threads(
// CHECK:         loop.buffer "T" scope(local) : memref<2x1xf32>
// CHECK:           loop.for serial %i in 6 {
// CHECK-NOT:         loop.sync
func.func @threads(%A: memref<8x7xf32>, %B: memref<8x7xf32> {loop.result}) {
  %T = loop.buffer "T" scope(local) : memref<1xf32>
  loop.for thread_bind[threadIdx.x] %t in 8 {
    loop.for serial %i in 7 attributes {loop.annotations = {software_pipeline_order = "0, 1", software_pipeline_stage = "0, 1"}} {
      loop.block "S" [%u: spatial 8, %v: spatial 7] = (%t, %i) reads(%A[%u : 1, %v : 1]) writes(%T[0 : 1]) {
        %c0 = arith.constant 0 : index
        %a = memref.load %A[%u, %v] : memref<8x7xf32>
        memref.store %a, %T[%c0] : memref<1xf32>
      }
      loop.block "U" [%u: spatial 8, %v: spatial 7] = (%t, %i) reads(%T[0 : 1]) writes(%B[%u : 1, %v : 1]) {
        %c0 = arith.constant 0 : index
        %a = memref.load %T[%c0] : memref<1xf32>
        memref.store %a, %B[%u, %v] : memref<8x7xf32>
      }
    }
  }
  return
}
