// RUN: lw-opt %s --rewrite-unsafe-select --canonicalize | FileCheck %s
// RUN: lw-opt %s --rewrite-unsafe-select --rewrite-unsafe-select --canonicalize | FileCheck %s
// RUN: lw-opt %s --verify-each=numeric --rewrite-unsafe-select -o /dev/null
// RUN: lw-opt %s --rewrite-unsafe-select --verify-each=numeric --canonicalize --convert-loop-to-scf -o /dev/null 2>&1 \
// RUN:   | FileCheck %s --check-prefix=LOWERED --allow-empty
// LOWERED-NOT: error

// The zero padding of a convolution, two conditions.
// CHECK-LABEL: func.func @padding(
// CHECK-NOT:     memref.load
// CHECK:         %[[S:.+]] = loop.if (%{{.+}} - 1 >= 0, -%{{.+}} + 8 >= 0) -> f32 {
// CHECK:           %[[A:.+]] = memref.load
// CHECK-NEXT:      loop.yield %[[A]]
// CHECK-NEXT:    } else {
// CHECK-NEXT:      loop.yield %cst
// CHECK:         memref.store %[[S]]
func.func @padding(%A: memref<8xf32>, %B: memref<10xf32> {loop.result}) {
  loop.for serial %i in 10 {
    loop.block "B" [%v: spatial 10] = (%i) reads(%A[*]) writes(%B[%v : 1]) {
      %c1 = arith.constant 1 : index
      %c8 = arith.constant 8 : index
      %zero = arith.constant 0.0 : f32
      %low = arith.cmpi sge, %v, %c1 : index
      %high = arith.cmpi sle, %v, %c8 : index
      %p = arith.andi %low, %high : i1
      %j = affine.apply affine_map<(d0) -> (d0 - 1)>(%v)
      %a = memref.load %A[%j] : memref<8xf32>
      %s = arith.select %p, %a, %zero : f32
      memref.store %s, %B[%v] : memref<10xf32>
    }
  }
  return
}

// A division by zero in the first iteration, and in lanes of it.
// CHECK-LABEL: func.func @division(
// CHECK:         loop.if (%{{.+}} == 0) -> i32 {
// CHECK-NEXT:      loop.yield %c0_i32
// CHECK-NEXT:    } else {
// CHECK:           arith.divsi
func.func @division(%A: memref<8xi32>, %B: memref<8xi32> {loop.result}) {
  loop.for vectorize %i in 8 {
    loop.block "B" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%B[%v : 1]) {
      %c0 = arith.constant 0 : index
      %zero = arith.constant 0 : i32
      %a = memref.load %A[%v] : memref<8xi32>
      %n = arith.index_cast %v : index to i32
      %q = arith.divsi %a, %n : i32
      %p = arith.cmpi ne, %v, %c0 : index
      %s = arith.select %p, %q, %zero : i32
      memref.store %s, %B[%v] : memref<8xi32>
    }
  }
  return
}

// An overflow in the first iteration: the least number divided by -1.
// CHECK-LABEL: func.func @overflow(
// CHECK:         loop.if (%{{.+}} == 0) -> i32 {
// CHECK-NEXT:      loop.yield %c0_i32
// CHECK-NEXT:    } else {
// CHECK:           arith.divsi
func.func @overflow(%B: memref<8xi32> {loop.result}) {
  loop.for serial %i in 8 {
    loop.block "B" [%v: spatial 8] = (%i) writes(%B[%v : 1]) {
      %c0 = arith.constant 0 : index
      %zero = arith.constant 0 : i32
      %least = arith.constant -2147483648 : i32
      %minus_one = arith.constant -1 : i32
      %n = arith.index_cast %v : index to i32
      %a = arith.addi %n, %least : i32
      %q = arith.divsi %a, %minus_one : i32
      %p = arith.cmpi ne, %v, %c0 : index
      %s = arith.select %p, %q, %zero : i32
      memref.store %s, %B[%v] : memref<8xi32>
    }
  }
  return
}

// (C1) A condition on data; (C2) a load within its buffer, also for a dynamic size; (C3) a load with another
// use.
// CHECK-LABEL: func.func @stay(
// CHECK-NOT:     loop.if
// CHECK-COUNT-3: arith.select
// CHECK-NOT:     loop.if
func.func @stay(%A: memref<?xf32>, %B: memref<?xf32> {loop.result}, %C: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %A, %c0 : memref<?xf32>
  loop.for serial %i in %n {
    loop.block "B" [%v: spatial %n] = (%i) reads(%A[%v : 1], %C[%v mod 8 : 1]) writes(%B[%v : 1]) {
      %c1 = arith.constant 1 : index
      %zero = arith.constant 0.0 : f32
      %p = arith.cmpi sge, %v, %c1 : index
      %a = memref.load %A[%v] : memref<?xf32>
      %s = arith.select %p, %a, %zero : f32
      %m = affine.apply affine_map<(d0) -> (d0 mod 8)>(%v)
      %c = memref.load %C[%m] : memref<8xf32>
      %u = arith.select %p, %c, %zero : f32
      %t = arith.addf %s, %u : f32
      %q = arith.cmpf ogt, %t, %zero : f32
      %b = memref.load %A[%v] : memref<?xf32>
      %r = arith.select %q, %b, %t : f32
      memref.store %r, %B[%v] : memref<?xf32>
    }
  }
  return
}

// CHECK-LABEL: func.func @c3_used_elsewhere(
// CHECK-NOT:     loop.if
// CHECK:         arith.select
func.func @c3_used_elsewhere(%A: memref<9xf32>, %B: memref<8xf32> {loop.result}) {
  loop.for serial %i in 8 {
    loop.block "B" [%v: spatial 8] = (%i) where (%i - 1 >= 0) reads(%A[%v - 1 : 1]) writes(%B[%v : 1]) {
      %c1 = arith.constant 1 : index
      %zero = arith.constant 0.0 : f32
      %p = arith.cmpi sgt, %v, %c1 : index
      %j = affine.apply affine_map<(d0) -> (d0 - 1)>(%v)
      %a = memref.load %A[%j] : memref<9xf32>
      %s = arith.select %p, %a, %zero : f32
      %t = arith.addf %s, %a : f32
      memref.store %t, %B[%v] : memref<8xf32>
    }
  }
  return
}

// (C4) The store may change the value that would be loaded.
// CHECK-LABEL: func.func @c4_store_between(
// CHECK-NOT:     loop.if
// CHECK:         arith.select
func.func @c4_store_between(%A: memref<9xf32> {loop.result}) {
  loop.for serial %i in 8 {
    loop.block "A" [%v: spatial 8] = (%i) where (%i - 1 >= 0) reads(%A[%v - 1 : 1]) writes(%A[%v - 1 : 1]) {
      %c1 = arith.constant 1 : index
      %zero = arith.constant 0.0 : f32
      %p = arith.cmpi sgt, %v, %c1 : index
      %j = affine.apply affine_map<(d0) -> (d0 - 1)>(%v)
      %a = memref.load %A[%j] : memref<9xf32>
      memref.store %zero, %A[%j] : memref<9xf32>
      %s = arith.select %p, %a, %zero : f32
      memref.store %s, %A[%j] : memref<9xf32>
    }
  }
  return
}

// (C3) One value for both.
// CHECK-LABEL: func.func @c3_both(
// CHECK-NOT:     loop.if
func.func @c3_both(%A: memref<8xf32>, %B: memref<8xf32> {loop.result}) {
  loop.for serial %i in 7 {
    loop.block "B" [%v: spatial 8] = (%i) reads(%A[%v + 1 : 1]) writes(%B[%v : 1]) {
      %c3 = arith.constant 3 : index
      %at = affine.apply affine_map<(d0) -> (d0 + 1)>(%v)
      %p = arith.cmpi slt, %v, %c3 : index
      %a = memref.load %A[%at] : memref<8xf32>
      %s = arith.select %p, %a, %a : f32
      memref.store %s, %B[%v] : memref<8xf32>
    }
  }
  return
}
