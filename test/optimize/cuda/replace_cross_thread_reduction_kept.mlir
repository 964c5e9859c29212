// RUN: lw-opt %s --replace-cross-thread-reduction --split-input-file | FileCheck %s
// RUN: lw-opt %s --replace-cross-thread-reduction --convert-loop-to-gpu --split-input-file --verify-diagnostics

// Reductions that the pass does not replace are unchanged, and lowering refuses them.

// (C1) the contract requires the original order.
// CHECK-LABEL: func.func @strict
// CHECK-NOT:     loop.sync
// CHECK:         reducer(add
func.func @strict(%A: memref<4xf32>, %B: memref<1xf32>) {
  loop.for thread_bind[blockIdx.x] %i in 1 {
    // expected-error @+1 {{"k" is bound to threads that would reduce into one cell, because iter "r" of schedule block "B" is bound to it (C2)}}
    loop.for thread_bind[threadIdx.x] %k in 4 {
      loop.block "B" [%v: spatial 1, %r: reduce 4] = (%i, %k)
          reads(%A[%r : 1]) writes(%B[%v : 1]) reducer(add, 0.0) {
        loop.init {
          %z = arith.constant 0.0 : f32
          memref.store %z, %B[%v] : memref<1xf32>
        }
        %a = memref.load %A[%r] : memref<4xf32>
        %b = memref.load %B[%v] : memref<1xf32>
        %c = arith.addf %b, %a : f32
        memref.store %c, %B[%v] : memref<1xf32>
      }
    }
  }
  return
}

// -----

// (C1) another loop is between the reduction loops.
// CHECK-LABEL: func.func @spatial_between
// CHECK-NOT:     loop.sync
// CHECK:         reducer(add
func.func @spatial_between(%A: memref<3x4xi32>, %B: memref<3xi32>) {
  loop.for thread_bind[blockIdx.x] %b in 1 {
    // expected-error @+1 {{"k" is bound to threads that would reduce into one cell}}
    loop.for thread_bind[threadIdx.x] %k in 4 {
      loop.for serial %i in 3 {
        loop.block "B" [%v: spatial 3, %r: reduce 4] = (%i, %k)
            reads(%A[%v : 1, %r : 1], %B[%v : 1]) writes(%B[%v : 1]) reducer(add, 0) {
          %x = memref.load %A[%v, %r] : memref<3x4xi32>
          %y = memref.load %B[%v] : memref<3xi32>
          %z = arith.addi %y, %x : i32
          memref.store %z, %B[%v] : memref<3xi32>
        }
      }
    }
  }
  return
}

// -----

// (C2) thread blocks reduce too.
// CHECK-LABEL: func.func @blocks
// CHECK-NOT:     loop.sync
// CHECK:         reducer(add
func.func @blocks(%A: memref<3x4xi32>, %B: memref<1xi32>) {
  // expected-error @+1 {{"b" is bound to threads that would reduce into one cell}}
  loop.for thread_bind[blockIdx.x] %b in 3 {
    loop.for thread_bind[threadIdx.x] %k in 4 {
      loop.block "B" [%u: reduce 3, %r: reduce 4] = (%b, %k)
          reads(%A[%u : 1, %r : 1], %B[0 : 1]) writes(%B[0 : 1]) reducer(add, 0) {
        %c0 = arith.constant 0 : index
        %x = memref.load %A[%u, %r] : memref<3x4xi32>
        %y = memref.load %B[%c0] : memref<1xi32>
        %z = arith.addi %y, %x : i32
        memref.store %z, %B[%c0] : memref<1xi32>
      }
    }
  }
  return
}

// -----

// (C3) not all threads would reach the barriers.
// CHECK-LABEL: func.func @under_condition
// CHECK-NOT:     loop.sync
// CHECK:         reducer(add
func.func @under_condition(%A: memref<4x4xi32>, %B: memref<4xi32>) {
  loop.for thread_bind[blockIdx.x] %b in 1 {
    loop.for thread_bind[threadIdx.y] %y in 4 {
      loop.if (%y - 1 >= 0) {
        // expected-error @+1 {{"k" is bound to threads that would reduce into one cell}}
        loop.for thread_bind[threadIdx.x] %k in 4 {
          loop.block "B" [%v: spatial 4, %r: reduce 4] = (%y, %k)
              reads(%A[%v : 1, %r : 1], %B[%v : 1]) writes(%B[%v : 1]) reducer(add, 0) {
            %x = memref.load %A[%v, %r] : memref<4x4xi32>
            %w = memref.load %B[%v] : memref<4xi32>
            %z = arith.addi %w, %x : i32
            memref.store %z, %B[%v] : memref<4xi32>
          }
        }
      }
    }
  }
  return
}

// -----

// (C4) rows of 8192 bytes for 8 virtual threads are too much.
// CHECK-LABEL: func.func @too_large
// CHECK-NOT:     loop.sync
// CHECK:         reducer(add
func.func @too_large(%A: memref<8x1024xi64>, %B: memref<8xi64>) {
  loop.for thread_bind[blockIdx.x] %b in 1 {
    loop.for thread_bind[vthread] %y in 8 {
      // expected-error @+1 {{"k" is bound to threads that would reduce into one cell}}
      loop.for thread_bind[threadIdx.x] %k in 1024 {
        loop.block "B" [%v: spatial 8, %r: reduce 1024] = (%y, %k)
            reads(%A[%v : 1, %r : 1], %B[%v : 1]) writes(%B[%v : 1]) reducer(add, 0) {
          %x = memref.load %A[%v, %r] : memref<8x1024xi64>
          %w = memref.load %B[%v] : memref<8xi64>
          %z = arith.addi %w, %x : i64
          memref.store %z, %B[%v] : memref<8xi64>
        }
      }
    }
  }
  return
}
