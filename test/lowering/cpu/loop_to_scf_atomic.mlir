// RUN: lw-opt %s --convert-loop-to-scf=vector-bits=128 -split-input-file -verify-diagnostics | FileCheck %s

// Concurrent iterations update the same element: one atomic op replaces load, op and store.
// CHECK-LABEL: func.func @meet
// CHECK:        scf.parallel
// CHECK-NEXT:     %[[A:.*]] = memref.load %arg0
// CHECK-NEXT:     memref.atomic_rmw addf %[[A]], %arg1[] : (f32, memref<f32>) -> f32
// CHECK-NEXT:     scf.reduce
func.func @meet(%A: memref<4096xf32>, %C: memref<f32>) {
  loop.for parallel %k in 4096 {
    loop.block "C" [%vk: reduce 4096] = (%k) reads(%A[%vk : 1], %C[]) writes(%C[]) reducer(add, 0.0) attributes {loop.annotations = {atomic = true}} {
      %a = memref.load %A[%vk] : memref<4096xf32>
      %c = memref.load %C[] : memref<f32>
      %s = arith.addf %c, %a : f32
      memref.store %s, %C[] : memref<f32>
    }
  }
  return
}

// -----

// They update distinct elements: nothing is atomic, and the lanes are a vector.
// CHECK-LABEL: func.func @apart
// CHECK-NOT:    atomic_rmw
// CHECK:        vector.store
// CHECK-NOT:    atomic_rmw
func.func @apart(%A: memref<64x4xf32>, %C: memref<64x4xf32>) {
  loop.for parallel %i in 64 {
    loop.for serial %k in 8 {
      loop.for vectorize %j in 4 {
        loop.block "C" [%vi: spatial 64, %vj: spatial 4, %vk: reduce 8] = (%i, %j, %k) reads(%A[%vi : 1, %vj : 1], %C[%vi : 1, %vj : 1]) writes(%C[%vi : 1, %vj : 1]) reducer(add, 0.0) attributes {loop.annotations = {atomic = true}} {
          %a = memref.load %A[%vi, %vj] : memref<64x4xf32>
          %c = memref.load %C[%vi, %vj] : memref<64x4xf32>
          %s = arith.addf %c, %a : f32
          memref.store %s, %C[%vi, %vj] : memref<64x4xf32>
        }
      }
    }
  }
  return
}

// -----

// Lanes compute as a vector, and the active ones update one by one.
// CHECK-LABEL: func.func @lanes
// CHECK:        scf.parallel
// CHECK:          %[[A:.*]] = vector.load %arg0
// CHECK:          %[[X:.*]] = arith.mulf %[[A]], %[[A]] : vector<4xf32>
// CHECK:          %[[X0:.*]] = vector.extract %[[X]][0]
// CHECK-NEXT:     memref.atomic_rmw addf %[[X0]], %arg1[%{{.*}}]
// CHECK:          %[[X3:.*]] = vector.extract %[[X]][3]
// CHECK-NEXT:     memref.atomic_rmw addf %[[X3]], %arg1[%{{.*}}]
// CHECK:          vector.maskedload
// CHECK:          memref.atomic_rmw
// CHECK-NOT:      memref.atomic_rmw
func.func @lanes(%A: memref<64x5xf32>, %C: memref<5xf32>) {
  loop.for parallel %k in 64 {
    loop.for vectorize %j in 5 {
      loop.block "C" [%vj: spatial 5, %vk: reduce 64] = (%j, %k) reads(%A[%vk : 1, %vj : 1], %C[%vj : 1]) writes(%C[%vj : 1]) reducer(add, 0.0) attributes {loop.annotations = {atomic = true}} {
        %a = memref.load %A[%vk, %vj] : memref<64x5xf32>
        %x = arith.mulf %a, %a : f32
        %c = memref.load %C[%vj] : memref<5xf32>
        %s = arith.addf %c, %x : f32
        memref.store %s, %C[%vj] : memref<5xf32>
      }
    }
  }
  return
}

// -----

// Booleans are bytes in memory.
// CHECK-LABEL: func.func @any
// CHECK:        scf.parallel
// CHECK-NEXT:     %[[A:.*]] = memref.load %arg0
// CHECK-NEXT:     %[[BIT:.*]] = arith.cmpf ogt, %[[A]]
// CHECK-NEXT:     %[[BYTE:.*]] = arith.extui %[[BIT]] : i1 to i8
// CHECK-NEXT:     memref.atomic_rmw ori %[[BYTE]], %arg1[] : (i8, memref<i8>) -> i8
// CHECK-NEXT:     scf.reduce
func.func @any(%A: memref<100xf32>, %C: memref<i8>) {
  %zero = arith.constant 0.0 : f32
  loop.for parallel %k in 100 {
    loop.block "C" [%vk: reduce 100] = (%k) reads(%A[%vk : 1], %C[]) writes(%C[]) reducer(or, 0) attributes {loop.annotations = {atomic = true}} {
      %a = memref.load %A[%vk] : memref<100xf32>
      %x = arith.cmpf ogt, %a, %zero : f32
      %c = memref.load %C[] : memref<i8>
      %b = arith.trunci %c : i8 to i1
      %s = arith.ori %b, %x : i1
      %t = arith.extui %s : i1 to i8
      memref.store %t, %C[] : memref<i8>
    }
  }
  return
}

// -----

// Each iteration of the parallel loop has a private sum.
// CHECK-LABEL: func.func @own_sums
// CHECK:        scf.parallel
// CHECK:          memref.alloca
// CHECK-NOT:      atomic_rmw
func.func @own_sums(%A: memref<8x64xf32>, %B: memref<8xf32>) {
  %S = loop.buffer "S" scope(local) : memref<1xf32>
  loop.for parallel %i in 8 {
    loop.block "zero" [%z: spatial 1] = (0) writes(%S[%z : 1]) {
      %zero = arith.constant 0.0 : f32
      memref.store %zero, %S[%z] : memref<1xf32>
    }
    loop.for serial %k in 64 {
      loop.block "S" [%z: spatial 1, %vi: spatial 8, %vk: reduce 64] = (0, %i, %k) reads(%A[%vi : 1, %vk : 1], %S[%z : 1]) writes(%S[%z : 1]) reducer(add, 0.0) attributes {loop.annotations = {atomic = true}} {
        %a = memref.load %A[%vi, %vk] : memref<8x64xf32>
        %s = memref.load %S[%z] : memref<1xf32>
        %n = arith.addf %s, %a : f32
        memref.store %n, %S[%z] : memref<1xf32>
      }
    }
    loop.block "B" [%z: spatial 1, %vi: spatial 8] = (0, %i) reads(%S[%z : 1]) writes(%B[%vi : 1]) {
      %s = memref.load %S[%z] : memref<1xf32>
      memref.store %s, %B[%vi] : memref<8xf32>
    }
  }
  return
}
