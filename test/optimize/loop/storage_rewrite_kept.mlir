// RUN: lw-opt %s --storage-rewrite | FileCheck %s

// (C1) One with a size that is computed after the first use of another one, one in a loop; (C2) one that is returned, one that is
// freed, and the base of another. The rest would not be smaller.
// CHECK-LABEL: func.func @kept(
// CHECK-NOT:     memref.view %{{.*}}[%{{.*}}][] : memref<{{.*}}xi8> to memref<16xf32>
func.func @kept(%A: memref<16xf32>, %n: index) -> memref<16xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %zero = arith.constant 0.0 : f32
  %returned = memref.alloc() : memref<16xf32>
  %freed = memref.alloc() : memref<16xf32>
  %bytes = memref.alloc() : memref<64xi8>
  %one = memref.alloc() : memref<16xf32>
  memref.store %zero, %freed[%c0] : memref<16xf32>
  memref.dealloc %freed : memref<16xf32>
  %view = memref.view %bytes[%c0][] : memref<64xi8> to memref<4xf32>
  memref.store %zero, %view[%c0] : memref<4xf32>
  scf.for %i = %c0 to %c16 step %c1 {
    %inner = memref.alloc() : memref<16xf32>
    memref.store %zero, %inner[%i] : memref<16xf32>
  }
  memref.store %zero, %one[%c0] : memref<16xf32>
  %m = arith.addi %n, %n : index
  %dynamic = memref.alloc(%m) : memref<?xf32>
  memref.store %zero, %dynamic[%c0] : memref<?xf32>
  memref.store %zero, %returned[%c0] : memref<16xf32>
  return %returned : memref<16xf32>
}

// (C2) A loop passes it to later ops.
// CHECK-LABEL: func.func @passed_on(
// CHECK-NOT:     memref.view
func.func @passed_on(%A: memref<16xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  memref.store %one, %a[%c0] : memref<16xf32>
  %last:2 = scf.while (%i = %c0, %x = %A) : (index, memref<16xf32>) -> (index, memref<16xf32>) {
    %more = arith.cmpi slt, %i, %c1 : index
    scf.condition(%more) %i, %a : index, memref<16xf32>
  } do {
  ^bb0(%i: index, %x: memref<16xf32>):
    %next = arith.addi %i, %c1 : index
    scf.yield %next, %x : index, memref<16xf32>
  }
  memref.store %two, %b[%c0] : memref<16xf32>
  %v = memref.load %last#1[%c0] : memref<16xf32>
  return %v : f32
}

// (C2) It is stored itself.
// CHECK-LABEL: func.func @held(
// CHECK-NOT:     memref.view
func.func @held(%H: memref<1xmemref<16xf32>>) {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f32
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  memref.store %one, %a[%c0] : memref<16xf32>
  memref.store %a, %H[%c0] : memref<1xmemref<16xf32>>
  memref.store %one, %b[%c0] : memref<16xf32>
  return
}

// (C2) Its address escapes.
// CHECK-LABEL: func.func @pointed_to(
// CHECK-NOT:     memref.view
func.func @pointed_to() -> index {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f32
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  %p = memref.extract_aligned_pointer_as_index %a : memref<16xf32> -> index
  memref.store %one, %b[%c0] : memref<16xf32>
  return %p : index
}

// (C1) The total bytes overflow.
// CHECK-LABEL: func.func @too_large(
// CHECK-NOT:     memref.view
func.func @too_large() {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i8
  %a = memref.alloc() : memref<9223372036854775807xi8>
  %b = memref.alloc() : memref<9223372036854775807xi8>
  memref.store %one, %a[%c0] : memref<9223372036854775807xi8>
  memref.store %one, %b[%c0] : memref<9223372036854775807xi8>
  return
}
