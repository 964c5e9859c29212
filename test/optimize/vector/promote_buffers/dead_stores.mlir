// Stores that a later store of the block overwrites are erased, unless something may read the element between them.
// RUN: lw-opt %s --promote-buffers | FileCheck %s

// CHECK-LABEL: func.func @tiles(
// CHECK:         %[[ZERO:.*]] = amx.tile_zero
// CHECK-NOT:     amx.tile_store
// CHECK:         %[[SUM:.*]] = scf.for {{.*}} iter_args(%{{.*}} = %[[ZERO]])
// CHECK:         amx.tile_store %{{.*}}, %[[SUM]]
// CHECK-NEXT:    return
func.func @tiles(%A: memref<8x16x64xi8>, %C: memref<16x16xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %zero = amx.tile_zero : !amx.tile<16x16xi32>
  amx.tile_store %C[%c0, %c0], %zero : memref<16x16xi32>, !amx.tile<16x16xi32>
  scf.for %k = %c0 to %c8 step %c1 {
    %a = amx.tile_load %A[%k, %c0, %c0] : memref<8x16x64xi8> into !amx.tile<16x64xi8>
    %old = amx.tile_load %C[%c0, %c0] : memref<16x16xi32> into !amx.tile<16x16xi32>
    %new = amx.tile_muli %a, %a, %old : !amx.tile<16x64xi8>, !amx.tile<16x64xi8>, !amx.tile<16x16xi32>
    amx.tile_store %C[%c0, %c0], %new : memref<16x16xi32>, !amx.tile<16x16xi32>
  }
  return
}

// A load of other elements does not keep the first store; a load at an unknown index does.
// CHECK-LABEL: func.func @loads(
// CHECK-SAME:    %[[A:.*]]: memref<8xf32>, %[[B:.*]]: memref<8xf32>,
// CHECK-NOT:     memref.store %{{.*}}, %[[A]]
// CHECK:         memref.load %[[A]]
// CHECK-NEXT:    memref.store %{{.*}}, %[[A]]
// CHECK-NEXT:    memref.store %{{.*}}, %[[B]]
// CHECK-NEXT:    memref.load %[[B]]
// CHECK-NEXT:    memref.store %{{.*}}, %[[B]]
func.func @loads(%A: memref<8xf32>, %B: memref<8xf32>, %x: f32, %y: f32, %i: index) -> (f32, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  memref.store %x, %A[%c0] : memref<8xf32>
  %a = memref.load %A[%c1] : memref<8xf32>
  memref.store %y, %A[%c0] : memref<8xf32>
  memref.store %x, %B[%c0] : memref<8xf32>
  %b = memref.load %B[%i] : memref<8xf32>
  memref.store %y, %B[%c0] : memref<8xf32>
  return %a, %b : f32, f32
}

// Branches and calls may read.
// CHECK-LABEL: func.func @branches(
// CHECK-COUNT-4: memref.store
// CHECK-NOT:     memref.store
func.func @branches(%A: memref<8xf32>, %B: memref<8xf32>, %x: f32, %y: f32, %condition: i1, %i: index) -> f32 {
  %c0 = arith.constant 0 : index
  memref.store %x, %A[%c0] : memref<8xf32>
  %a = scf.if %condition -> f32 {
    %read = memref.load %A[%i] : memref<8xf32>
    scf.yield %read : f32
  } else {
    scf.yield %x : f32
  }
  memref.store %y, %A[%c0] : memref<8xf32>
  memref.store %x, %B[%c0] : memref<8xf32>
  func.call @reads(%B) : (memref<8xf32>) -> ()
  memref.store %y, %B[%c0] : memref<8xf32>
  return %a : f32
}
func.func private @reads(memref<8xf32>)

// Other threads may read behind a barrier.
// CHECK-LABEL: func.func @barrier(
// CHECK:         memref.store
// CHECK-NEXT:    gpu.barrier
// CHECK-NEXT:    memref.store
// CHECK-NEXT:    return
func.func @barrier(%A: memref<8xf32>, %x: f32, %y: f32) {
  %c0 = arith.constant 0 : index
  memref.store %x, %A[%c0] : memref<8xf32>
  gpu.barrier
  memref.store %y, %A[%c0] : memref<8xf32>
  return
}

// A store of some lanes does not overwrite the others.
// CHECK-LABEL: func.func @masks(
// CHECK:         vector.store
// CHECK-NEXT:    vector.maskedstore
// CHECK-NEXT:    return
func.func @masks(%A: memref<8xf32>, %x: vector<8xf32>, %y: vector<8xf32>, %mask: vector<8xi1>) {
  %c0 = arith.constant 0 : index
  vector.store %x, %A[%c0] : memref<8xf32>, vector<8xf32>
  vector.maskedstore %A[%c0], %mask, %x : memref<8xf32>, vector<8xi1>, vector<8xf32>
  vector.maskedstore %A[%c0], %mask, %y : memref<8xf32>, vector<8xi1>, vector<8xf32>
  return
}
