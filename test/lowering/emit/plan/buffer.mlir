// A loop becomes no vectors if a parallel loop in it has private buffers. Those of other loops do not matter.
// RUN: lw-opt %s --convert-loop-to-scf -verify-diagnostics | FileCheck %s

// The first of the two buffers is named.
// CHECK-LABEL: @around(
// CHECK:         scf.for
// CHECK:           scf.parallel
// CHECK-COUNT-2:     memref.alloca
func.func @around(%A: memref<4x8xf32>, %B: memref<4x8xf32>) {
  %T = loop.buffer "T" scope(local) : memref<4x8xf32>
  %U = loop.buffer "U" scope(local) : memref<4x8xf32>
  // expected-remark @below {{"j" is not vectorized: each iteration of a parallel loop in it has its own "T"}}
  loop.for vectorize %j in 4 {
    loop.for parallel %i in 8 {
      loop.block "T" [%v: spatial 4, %w: spatial 8] = (%j, %i) reads(%A[%v : 1, %w : 1]) writes(%T[%v : 1, %w : 1]) {
        %x = memref.load %A[%v, %w] : memref<4x8xf32>
        memref.store %x, %T[%v, %w] : memref<4x8xf32>
      }
      loop.block "U" [%v: spatial 4, %w: spatial 8] = (%j, %i) reads(%T[%v : 1, %w : 1]) writes(%U[%v : 1, %w : 1]) {
        %x = memref.load %T[%v, %w] : memref<4x8xf32>
        memref.store %x, %U[%v, %w] : memref<4x8xf32>
      }
      loop.block "B" [%v: spatial 4, %w: spatial 8] = (%j, %i) reads(%U[%v : 1, %w : 1]) writes(%B[%v : 1, %w : 1]) {
        %x = memref.load %U[%v, %w] : memref<4x8xf32>
        memref.store %x, %B[%v, %w] : memref<4x8xf32>
      }
    }
  }
  return
}

// CHECK-LABEL: @beside(
// CHECK:         scf.parallel
// CHECK:           memref.alloca
// CHECK:         vector.load
// CHECK:         vector.store
func.func @beside(%A: memref<4xf32>, %B: memref<4xf32>, %C: memref<4xf32>) {
  %T = loop.buffer "T" scope(local) : memref<4xf32>
  loop.for parallel %i in 4 {
    loop.block "T" [%v: spatial 4] = (%i) reads(%A[%v : 1]) writes(%T[%v : 1]) {
      %x = memref.load %A[%v] : memref<4xf32>
      memref.store %x, %T[%v] : memref<4xf32>
    }
    loop.block "B" [%v: spatial 4] = (%i) reads(%T[%v : 1]) writes(%B[%v : 1]) {
      %x = memref.load %T[%v] : memref<4xf32>
      memref.store %x, %B[%v] : memref<4xf32>
    }
  }
  loop.for vectorize %i in 4 {
    loop.block "C" [%v: spatial 4] = (%i) reads(%A[%v : 1]) writes(%C[%v : 1]) {
      %x = memref.load %A[%v] : memref<4xf32>
      memref.store %x, %C[%v] : memref<4xf32>
    }
  }
  return
}
