// A branch for multiples of the tile needs no predicate.
// RUN: lw-opt %s --verify-each=numeric --sched-split='loop=multiples:i factors=-1,16' --sched-split='loop=others:i factors=-1,16' --sched-split='loop=else:i factors=-1,16' | FileCheck %s

// CHECK-LABEL: func.func @multiples(
// CHECK:         loop.if (symbol(%{{.*}}) mod 16 == 0) {
// CHECK-NEXT:      loop.for serial %i.0
// CHECK-NEXT:        loop.for serial %i.1 in 16
// CHECK-NEXT:          loop.block "multiples"
// CHECK-NOT:           where
// CHECK:         return
func.func @multiples(%A: memref<?xf32> {loop.result}) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %A, %c0 : memref<?xf32>
  loop.if (symbol(%n) mod 16 == 0) {
    loop.for serial %i in %n {
      loop.block "multiples" [%v: spatial %n] = (%i) writes(%A[%v : 1]) {
        %one = arith.constant 1.0 : f32
        memref.store %one, %A[%v] : memref<?xf32>
      }
    }
  }
  return
}

// Multiples of 8 may not be multiples of 16.
// CHECK-LABEL: func.func @others(
// CHECK:         loop.block "others"
// CHECK-NEXT:        where(
func.func @others(%A: memref<?xf32> {loop.result}) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %A, %c0 : memref<?xf32>
  loop.if (symbol(%n) mod 8 == 0) {
    loop.for serial %i in %n {
      loop.block "others" [%v: spatial %n] = (%i) writes(%A[%v : 1]) {
        %one = arith.constant 1.0 : f32
        memref.store %one, %A[%v] : memref<?xf32>
      }
    }
  }
  return
}

// In the other branch the condition does not hold.
// CHECK-LABEL: func.func @else(
// CHECK:         } else {
// CHECK:         loop.block "else"
// CHECK-NEXT:        where(
func.func @else(%A: memref<?xf32> {loop.result}) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %A, %c0 : memref<?xf32>
  loop.if (symbol(%n) mod 16 == 0) {
  } else {
    loop.for serial %i in %n {
      loop.block "else" [%v: spatial %n] = (%i) writes(%A[%v : 1]) {
        %one = arith.constant 1.0 : f32
        memref.store %one, %A[%v] : memref<?xf32>
      }
    }
  }
  return
}
