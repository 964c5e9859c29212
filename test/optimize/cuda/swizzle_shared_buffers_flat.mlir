// RUN: lw-opt %s --verify-each=numeric \
// RUN:     --pass-pipeline='builtin.module(gpu.module(gpu.func(swizzle-shared-buffers)))' | FileCheck %s
// RUN: lw-opt %s --pass-report -o /dev/null \
// RUN:     --pass-pipeline='builtin.module(gpu.module(gpu.func(swizzle-shared-buffers)))' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=COUNTS

module attributes {gpu.container_module} {

// A tile of 16 by 16 is written by vectors of its rows, and read by columns, four rows apart. Two rows cover all banks:
// no bits within a row separate 32 lanes, so the linear index is combined with its bits 5 to 7.
// CHECK-LABEL: gpu.func @tile_0(
// CHECK-SAME:      workgroup(%[[S:.*]] : memref<256xf32, #gpu.address_space<workgroup>> {llvm.align = 16 : i64})
// CHECK:         %[[ROWS:.*]] = arith.muli %[[ROW:.*]], %c16{{.*}} : index
// CHECK:         %[[CELL:.*]] = arith.addi %[[ROWS]], %[[COLUMN:.*]] : index
// CHECK:         %[[HIGH:.*]] = arith.shrui %[[CELL]], %c3{{.*}} : index
// CHECK:         %[[BITS:.*]] = arith.andi %[[HIGH]], %c28{{.*}} : index
// CHECK:         %[[AT:.*]] = arith.xori %[[CELL]], %[[BITS]] : index
// CHECK:         vector.store %{{.*}}, %[[S]][%[[AT]]] {alignment = 16 : i64} : memref<256xf32, {{.*}}>, vector<4xf32>
// CHECK:         gpu.barrier
// CHECK:         memref.load %[[S]][%{{[^,]*}}] : memref<256xf32
// COUNTS-DAG:    swizzle-shared-buffers  @tile_0 {{.*}} ms  changed, 1 swizzled, 40 before, 16 after
func.func @tile(%A: memref<16x16xf32>, %B: memref<16x16xf32> {loop.result}) {
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  gpu.launch_func @kernels_of_tile::@tile_0 blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1)
      args(%A : memref<16x16xf32>, %B : memref<16x16xf32>)
  return
}
gpu.module @kernels_of_tile {
  gpu.func @tile_0(%A: memref<16x16xf32>, %B: memref<16x16xf32>)
      workgroup(%S: memref<16x16xf32, #gpu.address_space<workgroup>> {llvm.align = 16 : i64}) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %t = gpu.thread_id x
    %high = arith.divui %t, %c4 : index
    %low = arith.remui %t, %c4 : index
    %four = arith.muli %low, %c4 : index
    %a = vector.load %A[%high, %four] {alignment = 16 : i64} : memref<16x16xf32>, vector<4xf32>
    vector.store %a, %S[%high, %four] {alignment = 16 : i64} : memref<16x16xf32, #gpu.address_space<workgroup>>, vector<4xf32>
    gpu.barrier
    scf.for %k = %c0 to %c4 step %c1 {
      %row = arith.addi %four, %k : index
      %b = memref.load %S[%row, %high] : memref<16x16xf32, #gpu.address_space<workgroup>>
      memref.store %b, %B[%high, %row] : memref<16x16xf32>
    }
    gpu.return
  }
}

// Rows of 24 in three dimensions: the linear index covers all of them.
// CHECK-LABEL: gpu.func @rows_of_24_0(
// CHECK-SAME:      workgroup(%[[S:.*]] : memref<1536xf32, #gpu.address_space<workgroup>>
// CHECK:         %[[PLANES:.*]] = arith.muli %{{.*}}, %c32{{.*}} : index
// CHECK:         %[[ROW:.*]] = arith.addi %[[PLANES]], %{{.*}} : index
// CHECK:         %[[ROWS:.*]] = arith.muli %[[ROW]], %c24{{.*}} : index
// CHECK:         memref.load %[[S]][%{{[^,]*}}] : memref<1536xf32
// COUNTS-DAG:    swizzle-shared-buffers  @rows_of_24_0 {{.*}} ms  changed, 1 swizzled, 432 before, 96 after
func.func @rows_of_24(%A: memref<2x32x24xf32>, %B: memref<2x24x32xf32> {loop.result}) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c192 = arith.constant 192 : index
  gpu.launch_func @kernels_of_24::@rows_of_24_0 blocks in (%c1, %c1, %c1) threads in (%c192, %c2, %c1)
      args(%A : memref<2x32x24xf32>, %B : memref<2x24x32xf32>)
  return
}
gpu.module @kernels_of_24 {
  gpu.func @rows_of_24_0(%A: memref<2x32x24xf32>, %B: memref<2x24x32xf32>)
      workgroup(%S: memref<2x32x24xf32, #gpu.address_space<workgroup>> {llvm.align = 16 : i64}) kernel attributes {known_block_size = array<i32: 192, 2, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c6 = arith.constant 6 : index
    %c8 = arith.constant 8 : index
    %t = gpu.thread_id x
    %p = gpu.thread_id y
    %r = arith.divui %t, %c6 : index
    %s = arith.remui %t, %c6 : index
    %q = arith.muli %s, %c4 : index
    %a = vector.load %A[%p, %r, %q] {alignment = 16 : i64} : memref<2x32x24xf32>, vector<4xf32>
    vector.store %a, %S[%p, %r, %q] {alignment = 16 : i64} : memref<2x32x24xf32, #gpu.address_space<workgroup>>, vector<4xf32>
    gpu.barrier
    %column = arith.divui %t, %c8 : index
    %low = arith.remui %t, %c8 : index
    %four = arith.muli %low, %c4 : index
    scf.for %k = %c0 to %c4 step %c1 {
      %row = arith.addi %four, %k : index
      %b = memref.load %S[%p, %row, %column] : memref<2x32x24xf32, #gpu.address_space<workgroup>>
      memref.store %b, %B[%p, %column, %row] : memref<2x24x32xf32>
    }
    gpu.return
  }
}
}
