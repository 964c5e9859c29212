// RUN: lw-opt %s --verify-each=numeric \
// RUN:     --pass-pipeline='builtin.module(gpu.module(gpu.func(swizzle-shared-buffers)))' | FileCheck %s
// RUN: lw-opt %s --pass-report -o /dev/null \
// RUN:     --pass-pipeline='builtin.module(gpu.module(gpu.func(swizzle-shared-buffers)))' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=COUNTS

module attributes {gpu.container_module} {

// Lanes that write differ in rows 0 to 7 and every fourth column; lanes that read, in every second row and two columns.
// No run of bits separates both; two runs together do.
// CHECK-LABEL: gpu.func @pairs_0(
// CHECK-SAME:      workgroup(%[[S:.*]] : memref<512xf32, #gpu.address_space<workgroup>>
// CHECK:         %[[ROWS:.*]] = arith.muli %{{.*}}, %c16{{.*}} : index
// CHECK:         %[[CELL:.*]] = arith.addi %[[ROWS]], %{{.*}} : index
// CHECK:         %[[HIGH:.*]] = arith.shrui %[[CELL]], %c4{{.*}} : index
// CHECK:         %[[BITS:.*]] = arith.andi %[[HIGH]], %c30{{.*}} : index
// CHECK:         %[[ONE:.*]] = arith.xori %[[CELL]], %[[BITS]] : index
// CHECK:         %[[MORE:.*]] = arith.shrui %[[CELL]], %c2{{.*}} : index
// CHECK:         %[[BIT:.*]] = arith.andi %[[MORE]], %c1{{.*}} : index
// CHECK:         %[[BOTH:.*]] = arith.xori %[[ONE]], %[[BIT]] : index
// CHECK:         memref.store %{{.*}}, %[[S]][%[[BOTH]]] : memref<512xf32
// COUNTS-DAG:    swizzle-shared-buffers  @pairs_0 {{.*}} ms  changed, 1 swizzled, 320 before, 32 after
func.func @pairs(%A: memref<32x16xf32>, %B: memref<16x32xf32> {loop.result}) {
  %c1 = arith.constant 1 : index
  %c256 = arith.constant 256 : index
  gpu.launch_func @kernels_of_pairs::@pairs_0 blocks in (%c1, %c1, %c1) threads in (%c256, %c1, %c1)
      args(%A : memref<32x16xf32>, %B : memref<16x32xf32>)
  return
}
gpu.module @kernels_of_pairs {
  gpu.func @pairs_0(%A: memref<32x16xf32>, %B: memref<16x32xf32>)
      workgroup(%S: memref<32x16xf32, #gpu.address_space<workgroup>>) kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    %c16 = arith.constant 16 : index
    %c128 = arith.constant 128 : index
    %t = gpu.thread_id x
    %copies = arith.cmpi ult, %t, %c128 : index
    scf.if %copies {
      %row = arith.divui %t, %c4 : index
      %low = arith.remui %t, %c4 : index
      %four = arith.muli %low, %c4 : index
      scf.for %k = %c0 to %c4 step %c1 {
        %column = arith.addi %four, %k : index
        %a = memref.load %A[%row, %column] : memref<32x16xf32>
        memref.store %a, %S[%row, %column] : memref<32x16xf32, #gpu.address_space<workgroup>>
      }
    }
    gpu.barrier
    %column = arith.divui %t, %c16 : index
    %low = arith.remui %t, %c16 : index
    %two = arith.muli %low, %c2 : index
    scf.for %k = %c0 to %c2 step %c1 {
      %row = arith.addi %two, %k : index
      %b = memref.load %S[%row, %column] : memref<32x16xf32, #gpu.address_space<workgroup>>
      memref.store %b, %B[%column, %row] : memref<16x32xf32>
    }
    gpu.return
  }
}

// Rows of 7 become rows of 8: then the threads that read four planes each differ in bits of
// the linear index.
// CHECK-LABEL: gpu.func @rows_of_7_0(
// CHECK-SAME:      workgroup(%[[S:.*]] : memref<1024xf32, #gpu.address_space<workgroup>>
// CHECK:         %[[ROWS:.*]] = arith.muli %{{.*}}, %c8{{.*}} : index
// CHECK:         %[[CELL:.*]] = arith.addi %[[ROWS]], %{{.*}} : index
// CHECK:         %[[HIGH:.*]] = arith.shrui %[[CELL]], %c5{{.*}} : index
// CHECK:         %[[AT:.*]] = arith.xori %[[CELL]], %[[HIGH]] : index
// CHECK:         memref.store %{{.*}}, %[[S]][%[[AT]]] : memref<1024xf32
// COUNTS-DAG:    swizzle-shared-buffers  @rows_of_7_0 {{.*}} ms  changed, 1 swizzled, 512 bytes, 160 before, 64 after
func.func @rows_of_7(%A: memref<32x4x7xf32>, %B: memref<4x7x32xf32> {loop.result}) {
  %c1 = arith.constant 1 : index
  %c1024 = arith.constant 1024 : index
  gpu.launch_func @kernels_of_7::@rows_of_7_0 blocks in (%c1, %c1, %c1) threads in (%c1024, %c1, %c1)
      args(%A : memref<32x4x7xf32>, %B : memref<4x7x32xf32>)
  return
}
gpu.module @kernels_of_7 {
  gpu.func @rows_of_7_0(%A: memref<32x4x7xf32>, %B: memref<4x7x32xf32>)
      workgroup(%S: memref<32x4x7xf32, #gpu.address_space<workgroup>>) kernel attributes {known_block_size = array<i32: 1024, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c7 = arith.constant 7 : index
    %c8 = arith.constant 8 : index
    %c32 = arith.constant 32 : index
    %t = gpu.thread_id x
    %i = arith.divui %t, %c32 : index
    %rest = arith.remui %t, %c32 : index
    %j = arith.divui %rest, %c8 : index
    %k = arith.remui %rest, %c8 : index
    %is_there = arith.cmpi ult, %k, %c7 : index
    scf.if %is_there {
      %a = memref.load %A[%i, %j, %k] : memref<32x4x7xf32>
      memref.store %a, %S[%i, %j, %k] : memref<32x4x7xf32, #gpu.address_space<workgroup>>
    }
    gpu.barrier
    %low = arith.remui %t, %c8 : index
    %four = arith.muli %low, %c4 : index
    %pixel = arith.divui %t, %c8 : index
    %y = arith.divui %pixel, %c8 : index
    %x = arith.remui %pixel, %c8 : index
    %in_x = arith.cmpi ult, %x, %c7 : index
    %in_y = arith.cmpi ult, %y, %c4 : index
    %reads = arith.andi %in_x, %in_y : i1
    scf.if %reads {
      scf.for %n = %c0 to %c4 step %c1 {
        %c = arith.addi %four, %n : index
        %b = memref.load %S[%c, %y, %x] : memref<32x4x7xf32, #gpu.address_space<workgroup>>
        memref.store %b, %B[%y, %x, %c] : memref<4x7x32xf32>
      }
    }
    gpu.return
  }
}
}
