// RUN: lw-opt %s --lower-vthread | FileCheck %s

// Nests that do not become kernels either.

// (C3) a buffer, one instance of which is filled outside.
// CHECK-LABEL: func.func @outside
// CHECK:         thread_bind[vthread]
func.func @outside(%A: memref<4xf32>, %B: memref<8xf32> {loop.result}) {
  %L = loop.buffer "L" scope(local) : memref<1xf32>
  loop.for thread_bind[threadIdx.x] %t in 4 {
    loop.block "L" [%v: spatial 4] = (%t) reads(%A[%v : 1]) writes(%L[0 : 1]) {
      %c0 = arith.constant 0 : index
      %a = memref.load %A[%v] : memref<4xf32>
      memref.store %a, %L[%c0] : memref<1xf32>
    }
    loop.for thread_bind[vthread] %y in 2 {
      loop.block "B" [%v: spatial 8] = (%y * 4 + %t) reads(%L[0 : 1]) writes(%B[%v : 1]) {
        %c0 = arith.constant 0 : index
        %x = memref.load %L[%c0] : memref<1xf32>
        memref.store %x, %B[%v] : memref<8xf32>
      }
    }
  }
  return
}

// (C4) one virtual thread reads what another one writes.
// CHECK-LABEL: func.func @clash
// CHECK:         thread_bind[vthread]
func.func @clash(%A: memref<8xf32>, %T: memref<8xf32>, %B: memref<8xf32> {loop.result}) {
  loop.for thread_bind[threadIdx.x] %t in 4 {
    loop.for thread_bind[vthread] %y in 2 {
      loop.block "T" [%v: spatial 8] = (%y * 4 + %t) reads(%A[%v : 1]) writes(%T[%v : 1]) {
        %x = memref.load %A[%v] : memref<8xf32>
        memref.store %x, %T[%v] : memref<8xf32>
      }
      loop.block "B" [%v: spatial 8] = (%y * -4 + %t + 4) reads(%T[%v : 1]) writes(%B[%v : 1]) {
        %x = memref.load %T[%v] : memref<8xf32>
        memref.store %x, %B[%v] : memref<8xf32>
      }
    }
  }
  return
}
