// RUN: lw-opt %s --storage-rewrite | FileCheck %s

// (C1) One of a size that no other one has, one in a loop; (C2) one that is returned, one that is freed, and the base of
// another. What is left would not be less.
// CHECK-LABEL: func.func @kept(
// CHECK-NOT:     memref.view %{{.*}}[%{{.*}}][] : memref<{{.*}}xi8> to memref<16xf32>
func.func @kept(%A: memref<16xf32>, %n: index) -> memref<16xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %zero = arith.constant 0.0 : f32
  %dynamic = memref.alloc(%n) : memref<?xf32>
  %returned = memref.alloc() : memref<16xf32>
  %freed = memref.alloc() : memref<16xf32>
  %bytes = memref.alloc() : memref<64xi8>
  %one = memref.alloc() : memref<16xf32>
  memref.store %zero, %dynamic[%c0] : memref<?xf32>
  memref.store %zero, %freed[%c0] : memref<16xf32>
  memref.dealloc %freed : memref<16xf32>
  %view = memref.view %bytes[%c0][] : memref<64xi8> to memref<4xf32>
  memref.store %zero, %view[%c0] : memref<4xf32>
  scf.for %i = %c0 to %c16 step %c1 {
    %inner = memref.alloc() : memref<16xf32>
    memref.store %zero, %inner[%i] : memref<16xf32>
  }
  memref.store %zero, %one[%c0] : memref<16xf32>
  memref.store %zero, %returned[%c0] : memref<16xf32>
  return %returned : memref<16xf32>
}
