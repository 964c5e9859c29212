// Cross-thread reductions that were not replaced before: lanes of warps do them.
// RUN: lw-opt %s --verify-each=numeric --convert-loop-to-gpu --canonicalize --cse | FileCheck %s

// The elements of the warps are overwritten in the next iteration: a barrier precedes that.
// CHECK-LABEL: gpu.func @again_0
// CHECK-SAME:      workgroup(%[[CELLS:.*]] : memref<2xi32,
// CHECK:         scf.for
// CHECK-COUNT-5:   gpu.shuffle
// CHECK-NEXT:      arith.addi
// CHECK-NEXT:      gpu.barrier
// CHECK:           memref.store %{{.*}}, %[[CELLS]]
// CHECK:           gpu.barrier
// CHECK:           memref.load %[[CELLS]]
// CHECK:           gpu.shuffle
// CHECK-NOT:       gpu.{{barrier|shuffle}}
// CHECK:         gpu.return
func.func @again(%A: memref<3x64xi32>, %B: memref<3xi32> {loop.result}) {
  loop.for thread_bind[blockIdx.x] %g in 1 {
    loop.for serial %i in 3 {
      loop.for thread_bind[threadIdx.x] %k in 64 {
        loop.block "B" [%v: spatial 3, %r: reduce 64] = (%i, %k)
            reads(%A[%v : 1, %r : 1]) writes(%B[%v : 1]) reducer(add, 0) {
          loop.init {
            %z = arith.constant 0 : i32
            memref.store %z, %B[%v] : memref<3xi32>
          }
          %a = memref.load %A[%v, %r] : memref<3x64xi32>
          %b = memref.load %B[%v] : memref<3xi32>
          %c = arith.addi %b, %a : i32
          memref.store %c, %B[%v] : memref<3xi32>
        }
      }
    }
  }
  return
}

// If a loop contains another barrier that all threads reach, that one is enough; a barrier in an inner loop, which
// may not run, is not enough.
// CHECK-LABEL: gpu.func @not_again_0
// CHECK:         scf.for
// CHECK-COUNT-5:   gpu.shuffle
// CHECK-NEXT:      arith.addi
// CHECK-NOT:       gpu.barrier
// CHECK:           memref.store
// CHECK:           gpu.barrier
// CHECK:           gpu.shuffle
// CHECK:           gpu.barrier
// CHECK-NOT:       gpu.barrier
// CHECK:         gpu.return
func.func @not_again(%A: memref<3x64xi32>, %B: memref<3x64xi32> {loop.result}) {
  %S = loop.buffer "S" scope(shared) : memref<3xi32>
  loop.for thread_bind[blockIdx.x] %g in 1 {
    loop.for serial %i in 3 {
      loop.for thread_bind[threadIdx.x] %k in 64 {
        loop.block "S" [%v: spatial 3, %r: reduce 64] = (%i, %k)
            reads(%A[%v : 1, %r : 1]) writes(%S[%v : 1]) reducer(add, 0) {
          loop.init {
            %z = arith.constant 0 : i32
            memref.store %z, %S[%v] : memref<3xi32>
          }
          %a = memref.load %A[%v, %r] : memref<3x64xi32>
          %b = memref.load %S[%v] : memref<3xi32>
          %c = arith.addi %b, %a : i32
          memref.store %c, %S[%v] : memref<3xi32>
        }
      }
      loop.sync
      loop.for thread_bind[threadIdx.x] %k in 64 {
        loop.block "B" [%v: spatial 3, %r: spatial 64] = (%i, %k) reads(%S[%v : 1]) writes(%B[%v : 1, %r : 1]) {
          %s = memref.load %S[%v] : memref<3xi32>
          memref.store %s, %B[%v, %r] : memref<3x64xi32>
        }
      }
    }
  }
  return
}

// CHECK-LABEL: gpu.func @barrier_further_inside_0
// CHECK:         scf.for
// CHECK-COUNT-5:   gpu.shuffle
// CHECK-NEXT:      arith.addi
// CHECK-NEXT:      gpu.barrier
func.func @barrier_further_inside(%n: index, %A: memref<3x64xi32>, %B: memref<3xi32> {loop.result}) {
  loop.for thread_bind[blockIdx.x] %g in 1 {
    loop.for serial %i in 3 {
      loop.for serial %j in %n {
        loop.sync
      }
      loop.for thread_bind[threadIdx.x] %k in 64 {
        loop.block "B" [%v: spatial 3, %r: reduce 64] = (%i, %k)
            reads(%A[%v : 1, %r : 1]) writes(%B[%v : 1]) reducer(add, 0) {
          loop.init {
            %z = arith.constant 0 : i32
            memref.store %z, %B[%v] : memref<3xi32>
          }
          %a = memref.load %A[%v, %r] : memref<3x64xi32>
          %b = memref.load %B[%v] : memref<3xi32>
          %c = arith.addi %b, %a : i32
          memref.store %c, %B[%v] : memref<3xi32>
        }
      }
    }
  }
  return
}

// The computation of each thread before the reduction is unchanged: a branch, a multiplication.
// CHECK-LABEL: gpu.func @dot_0
// CHECK:         %[[A:.*]] = memref.load %arg0
// CHECK:         %[[B:.*]] = memref.load %arg1
// CHECK:         %[[AB:.*]] = arith.muli %[[A]], %[[B]] : i32
// CHECK:         %[[V:.*]] = arith.select
// CHECK:         gpu.shuffle xor %[[V]], %c8_i32, %c16_i32 : i32
func.func @dot(%A: memref<16xi32>, %B: memref<16xi32>, %C: memref<1xi32> {loop.result}) {
  loop.for thread_bind[blockIdx.x] %g in 1 {
    loop.for thread_bind[threadIdx.x] %k in 16 {
      loop.block "C" [%r: reduce 16] = (%k) reads(%A[%r : 1], %B[%r : 1], %C[0 : 1]) writes(%C[0 : 1]) reducer(add, 0) {
        %c0 = arith.constant 0 : index
        %zero = arith.constant 0 : i32
        %a = memref.load %A[%r] : memref<16xi32>
        %b = memref.load %B[%r] : memref<16xi32>
        %ab = arith.muli %a, %b : i32
        %v = loop.if (%r - 3 >= 0) -> (i32) {
          loop.yield %ab : i32
        } else {
          loop.yield %zero : i32
        }
        %c = memref.load %C[%c0] : memref<1xi32>
        %d = arith.addi %c, %v : i32
        memref.store %d, %C[%c0] : memref<1xi32>
      }
    }
  }
  return
}

// Points that the predicate excludes are not written.
// CHECK-LABEL: gpu.func @some_points_0
func.func @some_points(%A: memref<4x8xi32>, %B: memref<4xi32> {loop.result}) {
  loop.for thread_bind[blockIdx.x] %i in 4 {
    loop.for thread_bind[threadIdx.x] %k in 8 {
      loop.block "B" [%v: spatial 4, %r: reduce 8] = (%i, %k) where(-%i + 2 >= 0, -%k + 5 >= 0)
          reads(%A[%v : 1, %r : 1], %B[%v : 1]) writes(%B[%v : 1]) reducer(min, 2147483647) {
        %a = memref.load %A[%v, %r] : memref<4x8xi32>
        %b = memref.load %B[%v] : memref<4xi32>
        %c = arith.minsi %b, %a : i32
        memref.store %c, %B[%v] : memref<4xi32>
      }
    }
  }
  return
}
