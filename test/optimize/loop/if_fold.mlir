// RUN: lw-opt %s --if-fold --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @digits(
// CHECK:         loop.for serial %i in 64 {
// CHECK-NEXT:      loop.if (%i == 0) {
// CHECK-NEXT:        loop.block "B"
func.func @digits(%A: memref<64xf32>, %B: memref<64xf32>) {
  loop.for serial %i in 64 {
    loop.if (%i floordiv 16 == 0) {
      loop.if ((%i mod 16) floordiv 4 == 0, %i mod 4 == 0) {
        loop.block "B" [%v: spatial 64] = (%i) reads(%A[%v : 1]) writes(%B[%v : 1]) {
          %a = memref.load %A[%v] : memref<64xf32>
          memref.store %a, %B[%v] : memref<64xf32>
        }
      }
    }
  }
  return
}

// -----

// In a predicate, where another condition is kept.
// CHECK-LABEL: func.func @predicate(
// CHECK:         where(%j - 1 >= 0, %i == 0)
func.func @predicate(%A: memref<64xf32>, %B: memref<64xf32>) {
  loop.for serial %i in 64 {
    loop.for serial %j in 2 {
      loop.block "B" [%v: spatial 64] = (%i) where(%i mod 8 == 0, %j - 1 >= 0, %i floordiv 8 == 0)
          reads(%A[%v : 1]) writes(%B[%v : 1]) {
        %a = memref.load %A[%v] : memref<64xf32>
        memref.store %a, %B[%v] : memref<64xf32>
      }
    }
  }
  return
}

// -----

// Unchanged: an else, another statement, another divisor, another number.
// CHECK-LABEL: func.func @others(
// CHECK:         loop.if (%i floordiv 4 == 0) {
// CHECK-NEXT:      loop.if (%i mod 4 == 0) {
// CHECK:         } else {
// CHECK:         loop.if (%i floordiv 4 == 0) {
// CHECK-NEXT:      loop.if (%i mod 4 == 0) {
// CHECK:           loop.if (%i mod 2 == 0) {
// CHECK:         loop.if (%i floordiv 4 == 0, %i mod 8 == 0) {
// CHECK:         loop.if (%i floordiv 4 == 0, %j mod 4 == 0) {
func.func @others(%A: memref<64xf32>, %B: memref<64xf32>) {
  loop.for serial %i in 64 {
    loop.for serial %j in 64 {
      loop.if (%i floordiv 4 == 0) {
        loop.if (%i mod 4 == 0) {
          loop.block "B0" [%v: spatial 64] = (%i) reads(%A[%v : 1]) writes(%B[%v : 1]) {
            %a = memref.load %A[%v] : memref<64xf32>
            memref.store %a, %B[%v] : memref<64xf32>
          }
        }
      } else {
        loop.block "B1" [%v: spatial 64] = (%i) reads(%A[%v : 1]) writes(%B[%v : 1]) {
          %a = memref.load %A[%v] : memref<64xf32>
          memref.store %a, %B[%v] : memref<64xf32>
        }
      }
      loop.if (%i floordiv 4 == 0) {
        loop.if (%i mod 4 == 0) {
          loop.block "B2" [%v: spatial 64] = (%i) reads(%A[%v : 1]) writes(%B[%v : 1]) {
            %a = memref.load %A[%v] : memref<64xf32>
            memref.store %a, %B[%v] : memref<64xf32>
          }
        }
        loop.if (%i mod 2 == 0) {
          loop.block "B3" [%v: spatial 64] = (%i) reads(%A[%v : 1]) writes(%B[%v : 1]) {
            %a = memref.load %A[%v] : memref<64xf32>
            memref.store %a, %B[%v] : memref<64xf32>
          }
        }
      }
      loop.if (%i floordiv 4 == 0, %i mod 8 == 0) {
        loop.block "B4" [%v: spatial 64] = (%i) reads(%A[%v : 1]) writes(%B[%v : 1]) {
          %a = memref.load %A[%v] : memref<64xf32>
          memref.store %a, %B[%v] : memref<64xf32>
        }
      }
      loop.if (%i floordiv 4 == 0, %j mod 4 == 0) {
        loop.block "B5" [%v: spatial 64] = (%i) reads(%A[%v : 1]) writes(%B[%v : 1]) {
          %a = memref.load %A[%v] : memref<64xf32>
          memref.store %a, %B[%v] : memref<64xf32>
        }
      }
    }
  }
  return
}
