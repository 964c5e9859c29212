// RUN: lw-opt %s --replace-cross-block-reduction --split-input-file | FileCheck %s
// RUN: lw-opt %s --replace-cross-block-reduction --convert-loop-to-gpu --split-input-file --verify-diagnostics

// (C1) the contract requires the original order.
// CHECK-LABEL: func.func @strict
// CHECK-COUNT-1: loop.block
// CHECK-NOT:     loop.block
func.func @strict(%A: memref<4xf32>, %B: memref<1xf32>) {
  // expected-error @+1 {{"k" is bound to threads that would reduce into one cell}}
  loop.for thread_bind[blockIdx.x] %k in 4 {
    loop.block "B" [%v: spatial 1, %r: reduce 4] = (0, %k)
        reads(%A[%r : 1], %B[%v : 1]) writes(%B[%v : 1]) reducer(add, 0.0) {
      %a = memref.load %A[%r] : memref<4xf32>
      %b = memref.load %B[%v] : memref<1xf32>
      %c = arith.addf %b, %a : f32
      memref.store %c, %B[%v] : memref<1xf32>
    }
  }
  return
}

// -----

// (C2) the iterations of an enclosing loop are the same instances.
// CHECK-LABEL: func.func @repeated
// CHECK-COUNT-1: loop.block
// CHECK-NOT:     loop.block
func.func @repeated(%A: memref<4xi32>, %B: memref<1xi32>) {
  loop.for serial %t in 2 {
    // expected-error @+1 {{"k" is bound to threads that would reduce into one cell}}
    loop.for thread_bind[blockIdx.x] %k in 4 {
      loop.block "B" [%v: spatial 1, %r: reduce 4] = (0, %k)
          reads(%A[%r : 1]) writes(%B[%v : 1]) reducer(add, 0) {
        loop.init {
          %z = arith.constant 5 : i32
          memref.store %z, %B[%v] : memref<1xi32>
        }
        %a = memref.load %A[%r] : memref<4xi32>
        %b = memref.load %B[%v] : memref<1xi32>
        %c = arith.addi %b, %a : i32
        memref.store %c, %B[%v] : memref<1xi32>
      }
    }
  }
  return
}

// -----

// (C1) each nest is one kernel, so a second kernel cannot be in the branch.
// CHECK-LABEL: func.func @branch
// CHECK-COUNT-1: loop.block
// CHECK-NOT:     loop.block
func.func @branch(%n: index, %A: memref<?x4xi32>, %B: memref<?xi32>) {
  loop.if (symbol(%n) - 1 >= 0) {
    loop.for serial %i in %n {
      // expected-error @+1 {{"k" is bound to threads that would reduce into one cell}}
      loop.for thread_bind[blockIdx.x] %k in 4 {
        loop.block "B" [%v: spatial %n, %r: reduce 4] = (%i, %k)
            reads(%A[%v : 1, %r : 1], %B[%v : 1]) writes(%B[%v : 1]) reducer(add, 0) {
          %a = memref.load %A[%v, %r] : memref<?x4xi32>
          %b = memref.load %B[%v] : memref<?xi32>
          %c = arith.addi %b, %a : i32
          memref.store %c, %B[%v] : memref<?xi32>
        }
      }
    }
  }
  return
}
