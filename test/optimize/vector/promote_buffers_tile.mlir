// Tiles of sums stay in tile registers.
// RUN: lw-opt %s --promote-buffers | FileCheck %s

// Tiles that do not overlap are promoted, each in its own register. Of equal loads one is left.
// CHECK-LABEL: func.func @sums(
// CHECK-SAME:    %[[A:[^:]*]]: memref<16x64xi8>, %[[B:[^:]*]]: memref<8x16x64xi8>, %[[C:[^:]*]]: memref<32x16xi32>)
// CHECK:         %[[UPPER:.*]] = amx.tile_load %[[C]][%c0, %c0]
// CHECK-NEXT:    %[[LOWER:.*]] = amx.tile_load %[[C]][%c16, %c0]
// CHECK-NEXT:    %[[SUMS:[0-9]+]]:2 = scf.for %[[K:[^ ]+]] = {{.*}} iter_args(%[[X:[^ ]+]] = %[[UPPER]], %[[Y:[^ ]+]] = %[[LOWER]]) -> (!amx.tile<16x16xi32>, !amx.tile<16x16xi32>) {
// CHECK-NEXT:      %[[TA:.*]] = amx.tile_load %[[A]]
// CHECK-NEXT:      %[[TB:.*]] = amx.tile_load %[[B]][%[[K]], %c0, %c0]
// CHECK-NEXT:      %[[NEWX:.*]] = amx.tile_muli %[[TA]], %[[TB]], %[[X]]
// CHECK-NEXT:      %[[NEWY:.*]] = amx.tile_muli %[[TA]], %[[TB]], %[[Y]]
// CHECK-NEXT:      scf.yield %[[NEWX]], %[[NEWY]]
// CHECK-NEXT:    }
// CHECK-NEXT:    amx.tile_store %[[C]][%c0, %c0], %[[SUMS]]#0
// CHECK-NEXT:    amx.tile_store %[[C]][%c16, %c0], %[[SUMS]]#1
func.func @sums(%A: memref<16x64xi8>, %B: memref<8x16x64xi8>, %C: memref<32x16xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  scf.for %k = %c0 to %c8 step %c1 {
    %a = amx.tile_load %A[%c0, %c0] : memref<16x64xi8> into !amx.tile<16x64xi8>
    %b = amx.tile_load %B[%k, %c0, %c0] : memref<8x16x64xi8> into !amx.tile<16x64xi8>
    %x = amx.tile_load %C[%c0, %c0] : memref<32x16xi32> into !amx.tile<16x16xi32>
    %u = amx.tile_muli %a, %b, %x : !amx.tile<16x64xi8>, !amx.tile<16x64xi8>, !amx.tile<16x16xi32>
    amx.tile_store %C[%c0, %c0], %u : memref<32x16xi32>, !amx.tile<16x16xi32>
    %again = amx.tile_load %A[%c0, %c0] : memref<16x64xi8> into !amx.tile<16x64xi8>
    %b2 = amx.tile_load %B[%k, %c0, %c0] : memref<8x16x64xi8> into !amx.tile<16x64xi8>
    %y = amx.tile_load %C[%c16, %c0] : memref<32x16xi32> into !amx.tile<16x16xi32>
    %v = amx.tile_muli %again, %b2, %y : !amx.tile<16x64xi8>, !amx.tile<16x64xi8>, !amx.tile<16x16xi32>
    amx.tile_store %C[%c16, %c0], %v : memref<32x16xi32>, !amx.tile<16x16xi32>
  }
  return
}

// Tiles that overlap stay in memory: rows 8 to 15 are in both.
// CHECK-LABEL: func.func @overlap(
// CHECK:         scf.for {{.*}} step %c1 {
// CHECK-COUNT-2:   amx.tile_store
// CHECK:         return
func.func @overlap(%C: memref<32x16xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %zero = amx.tile_zero : !amx.tile<16x16xi32>
  scf.for %k = %c0 to %c8 step %c1 {
    amx.tile_store %C[%c0, %c0], %zero : memref<32x16xi32>, !amx.tile<16x16xi32>
    amx.tile_store %C[%c8, %c0], %zero : memref<32x16xi32>, !amx.tile<16x16xi32>
  }
  return
}

// The extent of a tile with a stride of its own is not known.
// CHECK-LABEL: func.func @stride(
// CHECK:         scf.for {{.*}} step %c1 {
// CHECK-NEXT:      amx.tile_load
// CHECK-NEXT:      amx.tile_store
func.func @stride(%C: memref<16x3x16xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c48 = arith.constant 48 : index
  scf.for %k = %c0 to %c8 step %c1 {
    %x = amx.tile_load %C[%c0, %c1, %c0], %c48 : memref<16x3x16xi32> into !amx.tile<16x16xi32>
    amx.tile_store %C[%c0, %c1, %c0], %x, %c48 : memref<16x3x16xi32>, !amx.tile<16x16xi32>
  }
  return
}

// A vector that is stored over a part of a tile is no value of the tile, and a store to the buffer ends what is known of it.
// CHECK-LABEL: func.func @parts(
// CHECK:         vector.store
// CHECK-NEXT:    %[[ONE:.*]] = amx.tile_load
// CHECK-NEXT:    memref.store
// CHECK-NEXT:    %[[TWO:.*]] = amx.tile_load
// CHECK-NEXT:    return %[[ONE]], %[[TWO]]
func.func @parts(%C: memref<16x16xi32>, %v: vector<16xi32>, %s: i32, %i: index) -> (!amx.tile<16x16xi32>, !amx.tile<16x16xi32>) {
  %c0 = arith.constant 0 : index
  vector.store %v, %C[%c0, %c0] : memref<16x16xi32>, vector<16xi32>
  %one = amx.tile_load %C[%c0, %c0] : memref<16x16xi32> into !amx.tile<16x16xi32>
  memref.store %s, %C[%i, %c0] : memref<16x16xi32>
  %two = amx.tile_load %C[%c0, %c0] : memref<16x16xi32> into !amx.tile<16x16xi32>
  return %one, %two : !amx.tile<16x16xi32>, !amx.tile<16x16xi32>
}

// A tile that is loaded in a branch is not known behind it.
// CHECK-LABEL: func.func @branch(
// CHECK-SAME:    %{{.*}}, %[[D:.*]]: memref<16x16xi32>, %[[E:.*]]: memref<16x16xi32>,
// CHECK:         scf.if
// CHECK:           %[[INSIDE:.*]] = amx.tile_load
// CHECK-NEXT:      amx.tile_store %[[D]]{{.*}}, %[[INSIDE]]
// CHECK-NEXT:      amx.tile_store %[[E]]{{.*}}, %[[INSIDE]]
// CHECK:         %[[BEHIND:.*]] = amx.tile_load
// CHECK-NEXT:    return %[[BEHIND]]
func.func @branch(%C: memref<16x16xi32>, %D: memref<16x16xi32>, %E: memref<16x16xi32>, %condition: i1) -> !amx.tile<16x16xi32> {
  %c0 = arith.constant 0 : index
  scf.if %condition {
    %one = amx.tile_load %C[%c0, %c0] : memref<16x16xi32> into !amx.tile<16x16xi32>
    amx.tile_store %D[%c0, %c0], %one : memref<16x16xi32>, !amx.tile<16x16xi32>
    %two = amx.tile_load %C[%c0, %c0] : memref<16x16xi32> into !amx.tile<16x16xi32>
    amx.tile_store %E[%c0, %c0], %two : memref<16x16xi32>, !amx.tile<16x16xi32>
  }
  %behind = amx.tile_load %C[%c0, %c0] : memref<16x16xi32> into !amx.tile<16x16xi32>
  return %behind : !amx.tile<16x16xi32>
}
