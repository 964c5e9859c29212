// RUN: lw-opt %s --sched-split='loop=multiple:i factors=-1,8' --sched-specialize='target=multiple:i.0 condition="arg1 mod 8 == 0"' \
// RUN:   --sched-specialize='target=number:i condition="arg2 == 64"' --sched-split='loop=number:i factors=8,8' \
// RUN:   --sched-specialize='target=minimum:i condition="arg1 > 29 and arg1 <= 2 * (20 + 12)"' \
// RUN:   --sched-specialize='target=inner condition="dim(arg0, 0) - 4 >= 0"' \
// RUN:   --sched-specialize='target=sum:k condition="arg2 floordiv 2 < 3"' \
// RUN:   --sched-specialize='target=first:i condition="arg2 == 8" through=second:i' --mlir-print-local-scope | FileCheck %s

// CHECK-LABEL: func.func @multiple
// CHECK:       loop.if (symbol(%arg1) mod 8 == 0) {
// CHECK-NEXT:    loop.for serial %i.0 in affine_map<()[s0] -> (s0 ceildiv 8)>()[%arg1]
// CHECK-NEXT:      loop.for serial %i.1 in 8
// CHECK-NEXT:        loop.block "multiple" [%v: spatial %arg1] = (%i.0 * 8 + %i.1)
// CHECK-NOT:             where
// CHECK:       } else {
// CHECK-NEXT:    loop.for serial %i.0 in affine_map<()[s0] -> (s0 ceildiv 8)>()[%arg1]
// CHECK-NEXT:      loop.for serial %i.1 in 8
// CHECK-NEXT:        loop.block "multiple.else" [%v: spatial %arg1] = (%i.0 * 8 + %i.1)
// CHECK-NEXT:            where(%i.0 * -8 - %i.1 + symbol(%arg1) - 1 >= 0)
func.func @multiple(%A: memref<?xf32>, %n: index) {
  loop.for serial %i in %n {
    loop.block "multiple" [%v: spatial %n] = (%i) writes(%A[%v : 1]) {
      %x = arith.constant 1.0 : f32
      memref.store %x, %A[%v] : memref<?xf32>
    }
  }
  return
}

// Later steps use the specialized size, which is a constant. The sizes have another order now.
// CHECK-LABEL: func.func @number
// CHECK:       loop.if (symbol(%arg2) - 64 == 0) {
// CHECK-NEXT:    loop.for serial %i.0 in 8
// CHECK-NEXT:      loop.for serial %i.1 in 8
// CHECK-NEXT:        loop.for serial %j in %arg1 {
// CHECK-NEXT:          loop.block "number" [%v: spatial 64, %w: spatial %arg1] = (%i.0 * 8 + %i.1, %j)
// CHECK-NOT:               where
// CHECK:       } else {
// CHECK-NEXT:    loop.for serial %i in %arg2 {
// CHECK-NEXT:      loop.for serial %j in %arg1 {
// CHECK-NEXT:        loop.block "number.else"
func.func @number(%A: memref<?x?xf32>, %m: index, %n: index) {
  loop.for serial %i in %n {
    loop.for serial %j in %m {
      loop.block "number" [%v: spatial %n, %w: spatial %m] = (%i, %j) writes(%A[%v : 1, %w : 1]) {
        %x = arith.constant 1.0 : f32
        memref.store %x, %A[%v, %w] : memref<?x?xf32>
      }
    }
  }
  return
}

// CHECK-LABEL: func.func @minimum
// CHECK:       loop.if (symbol(%arg1) - 30 >= 0, -symbol(%arg1) + 64 >= 0) {
// CHECK-NEXT:    loop.for serial %i in 30 {
// CHECK:       } else {
// CHECK-NEXT:    loop.for serial %i in min affine_map<()[s0] -> (s0, 30)>()[%arg1] {
func.func @minimum(%A: memref<30xf32>, %n: index) {
  loop.for serial %i in min affine_map<()[s0] -> (s0, 30)>()[%n] {
    loop.block "minimum" [%v: spatial 30] = (%i) writes(%A[%v : 1]) {
      %x = arith.constant 1.0 : f32
      memref.store %x, %A[%v] : memref<30xf32>
    }
  }
  return
}

// A schedule block, in its loops.
// CHECK-LABEL: func.func @inner
// CHECK:       loop.for serial %i in %[[N:.+]] {
// CHECK-NEXT:    loop.if (symbol(%[[N]]) - 4 >= 0) {
// CHECK-NEXT:      loop.block "inner"
// CHECK:         } else {
// CHECK-NEXT:      loop.block "inner.else"
func.func @inner(%A: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %A, %c0 : memref<?xf32>
  loop.for serial %i in %n {
    loop.block "inner" [%v: spatial %n] = (%i) writes(%A[%v : 1]) {
      %x = arith.constant 1.0 : f32
      memref.store %x, %A[%v] : memref<?xf32>
    }
  }
  return
}

// CHECK-LABEL: func.func @sum
// CHECK:       loop.if (-(symbol(%arg2) floordiv 2) + 2 >= 0) {
// CHECK:           loop.block "sum"
// CHECK:             loop.init
// CHECK:       } else {
// CHECK:           loop.block "sum.else"
// CHECK:             loop.init
func.func @sum(%A: memref<?xi32>, %S: memref<i32>, %n: index) {
  loop.for serial %k in %n {
    loop.block "sum" [%v: reduce %n] = (%k) reads(%A[%v : 1]) writes(%S[]) reducer(add, 0) {
      loop.init {
        %zero = arith.constant 0 : i32
        memref.store %zero, %S[] : memref<i32>
      }
      %x = memref.load %A[%v] : memref<?xi32>
      %y = memref.load %S[] : memref<i32>
      %s = arith.addi %x, %y : i32
      memref.store %s, %S[] : memref<i32>
    }
  }
  return
}

// Both nests are in both branches.
// CHECK-LABEL: func.func @both
// CHECK:       loop.if (symbol(%arg2) - 8 == 0) {
// CHECK-NEXT:    loop.for serial %i in 8 {
// CHECK-NEXT:      loop.block "first"
// CHECK:         loop.for serial %i in 8 {
// CHECK-NEXT:      loop.block "second"
// CHECK:       } else {
// CHECK-NEXT:    loop.for serial %i in %arg2 {
// CHECK-NEXT:      loop.block "first.else"
// CHECK:         loop.for serial %i in %arg2 {
// CHECK-NEXT:      loop.block "second.else"
// CHECK:       loop.for serial %i in %arg2 {
// CHECK-NEXT:    loop.block "third"
func.func @both(%A: memref<?xf32>, %B: memref<?xf32>, %n: index) {
  loop.for serial %i in %n {
    loop.block "first" [%v: spatial %n] = (%i) writes(%A[%v : 1]) {
      %x = arith.constant 1.0 : f32
      memref.store %x, %A[%v] : memref<?xf32>
    }
  }
  loop.for serial %i in %n {
    loop.block "second" [%v: spatial %n] = (%i) reads(%A[%v : 1]) writes(%B[%v : 1]) {
      %x = memref.load %A[%v] : memref<?xf32>
      memref.store %x, %B[%v] : memref<?xf32>
    }
  }
  loop.for serial %i in %n {
    loop.block "third" [%v: spatial %n] = (%i) writes(%A[%v : 1]) {
      %x = arith.constant 2.0 : f32
      memref.store %x, %A[%v] : memref<?xf32>
    }
  }
  return
}
