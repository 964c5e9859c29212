// RUN: lw-opt %s --verify-each=numeric \
// RUN:     --pass-pipeline='builtin.module(gpu.module(gpu.func(swizzle-shared-buffers)))' | FileCheck %s
// RUN: lw-opt %s --pass-report -o /dev/null \
// RUN:     --pass-pipeline='builtin.module(gpu.module(gpu.func(swizzle-shared-buffers)))' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=COUNTS

module attributes {gpu.container_module} {

// Elements of two bytes: a word has two. In a column 32 lanes access 32 words of one bank. The five column
// bits that distinguish words are combined, and the halves of a word stay together.
// CHECK-LABEL: gpu.func @halves_0(
// CHECK-SAME:      workgroup(%[[S:.*]] : memref<64x64xf16, #gpu.address_space<workgroup>>
// CHECK:         gpu.barrier
// CHECK:         %[[BY:.*]] = arith.shli %[[T:.*]], %c1{{.*}} : index
// CHECK:         %[[ROW:.*]] = arith.andi %[[BY]], %c62{{.*}} : index
// CHECK:         %[[AT:.*]] = arith.xori %{{.*}}, %[[ROW]] : index
// CHECK:         memref.load %[[S]][%[[T]], %[[AT]]]
// COUNTS-DAG:      swizzle-shared-buffers  @halves_0 {{.*}} ms  changed, 1 swizzled, 4224 before, 256 after
func.func @halves(%A: memref<64x64xf16>, %B: memref<64x64xf16> {loop.result}) {
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  gpu.launch_func @kernels_of_halves::@halves_0 blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1)
      args(%A : memref<64x64xf16>, %B : memref<64x64xf16>)
  return
}
gpu.module @kernels_of_halves {
  gpu.func @halves_0(%A: memref<64x64xf16>, %B: memref<64x64xf16>)
      workgroup(%S: memref<64x64xf16, #gpu.address_space<workgroup>> {llvm.align = 16 : i64}) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %t = gpu.thread_id x
    scf.for %k = %c0 to %c64 step %c1 {
      %a = memref.load %A[%k, %t] : memref<64x64xf16>
      memref.store %a, %S[%k, %t] : memref<64x64xf16, #gpu.address_space<workgroup>>
    }
    gpu.barrier
    scf.for %k = %c0 to %c64 step %c1 {
      %a = memref.load %S[%t, %k] : memref<64x64xf16, #gpu.address_space<workgroup>>
      memref.store %a, %B[%t, %k] : memref<64x64xf16>
    }
    gpu.return
  }
}

// Elements of eight bytes: a request is split into half warps, so only sixteen rows conflict.
// CHECK-LABEL: gpu.func @doubles_0(
// CHECK-SAME:      workgroup(%[[S:.*]] : memref<16x16xf64, #gpu.address_space<workgroup>>
// CHECK:         arith.xori
// COUNTS-DAG:      swizzle-shared-buffers  @doubles_0 {{.*}} ms  changed, 1 swizzled, 272 before, 32 after
func.func @doubles(%A: memref<16x16xf64>, %B: memref<16x16xf64> {loop.result}) {
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  gpu.launch_func @kernels_of_doubles::@doubles_0 blocks in (%c1, %c1, %c1) threads in (%c16, %c1, %c1)
      args(%A : memref<16x16xf64>, %B : memref<16x16xf64>)
  return
}
gpu.module @kernels_of_doubles {
  gpu.func @doubles_0(%A: memref<16x16xf64>, %B: memref<16x16xf64>)
      workgroup(%S: memref<16x16xf64, #gpu.address_space<workgroup>> {llvm.align = 16 : i64}) kernel attributes {known_block_size = array<i32: 16, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    %t = gpu.thread_id x
    scf.for %k = %c0 to %c16 step %c1 {
      %a = memref.load %A[%k, %t] : memref<16x16xf64>
      memref.store %a, %S[%k, %t] : memref<16x16xf64, #gpu.address_space<workgroup>>
    }
    gpu.barrier
    scf.for %k = %c0 to %c16 step %c1 {
      %a = memref.load %S[%t, %k] : memref<16x16xf64, #gpu.address_space<workgroup>>
      memref.store %a, %B[%t, %k] : memref<16x16xf64>
    }
    gpu.return
  }
}

// Two rows fit side by side in the banks, so the row is halved before it is combined.
// CHECK-LABEL: gpu.func @short_rows_0(
// CHECK-SAME:      workgroup(%[[S:.*]] : memref<32x16xf32, #gpu.address_space<workgroup>>
// CHECK:         %[[ROW:.*]] = arith.shrui %{{.*}}, %c1{{.*}} : index
// CHECK:         arith.xori %{{.*}}, %[[ROW]] : index
// COUNTS-DAG:      swizzle-shared-buffers  @short_rows_0 {{.*}} ms  changed, 1 swizzled, 272 before, 32 after
func.func @short_rows(%A: memref<32x16xf32>, %B: memref<32x16xf32> {loop.result}) {
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  gpu.launch_func @kernels_of_short_rows::@short_rows_0 blocks in (%c1, %c1, %c1) threads in (%c32, %c1, %c1)
      args(%A : memref<32x16xf32>, %B : memref<32x16xf32>)
  return
}
gpu.module @kernels_of_short_rows {
  gpu.func @short_rows_0(%A: memref<32x16xf32>, %B: memref<32x16xf32>)
      workgroup(%S: memref<32x16xf32, #gpu.address_space<workgroup>> {llvm.align = 16 : i64}) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    %c32 = arith.constant 32 : index
    %t = gpu.thread_id x
    scf.for %k = %c0 to %c16 step %c1 {
      %n = arith.muli %k, %c32 : index
      %m = arith.addi %n, %t : index
      %r = arith.divui %m, %c16 : index
      %c = arith.remui %m, %c16 : index
      %a = memref.load %A[%r, %c] : memref<32x16xf32>
      memref.store %a, %S[%r, %c] : memref<32x16xf32, #gpu.address_space<workgroup>>
    }
    gpu.barrier
    scf.for %k = %c0 to %c16 step %c1 {
      %a = memref.load %S[%t, %k] : memref<32x16xf32, #gpu.address_space<workgroup>>
      memref.store %a, %B[%t, %k] : memref<32x16xf32>
    }
    gpu.return
  }
}

// The rows of a one-dimensional buffer are the higher bits of its index.
// CHECK-LABEL: gpu.func @flat_0(
// CHECK-SAME:      workgroup(%[[S:.*]] : memref<1024xf32, #gpu.address_space<workgroup>>
// CHECK:         %[[ROW:.*]] = arith.shrui %[[I:.*]], %c5{{.*}} : index
// CHECK:         %[[AT:.*]] = arith.xori %[[I]], %[[ROW]] : index
// CHECK:         memref.store %{{.*}}, %[[S]][%[[AT]]]
// COUNTS-DAG:      swizzle-shared-buffers  @flat_0 {{.*}} ms  changed, 1 swizzled, 1056 before, 64 after
func.func @flat(%A: memref<1024xf32>, %B: memref<1024xf32> {loop.result}) {
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  gpu.launch_func @kernels_of_flat::@flat_0 blocks in (%c1, %c1, %c1) threads in (%c32, %c1, %c1)
      args(%A : memref<1024xf32>, %B : memref<1024xf32>)
  return
}
gpu.module @kernels_of_flat {
  gpu.func @flat_0(%A: memref<1024xf32>, %B: memref<1024xf32>)
      workgroup(%S: memref<1024xf32, #gpu.address_space<workgroup>> {llvm.align = 16 : i64}) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %t = gpu.thread_id x
    scf.for %k = %c0 to %c32 step %c1 {
      %n = arith.muli %k, %c32 : index
      %m = arith.addi %n, %t : index
      %a = memref.load %A[%m] : memref<1024xf32>
      memref.store %a, %S[%m] : memref<1024xf32, #gpu.address_space<workgroup>>
    }
    gpu.barrier
    scf.for %k = %c0 to %c32 step %c1 {
      %n = arith.muli %t, %c32 : index
      %m = arith.addi %n, %k : index
      %a = memref.load %S[%m] : memref<1024xf32, #gpu.address_space<workgroup>>
      memref.store %a, %B[%m] : memref<1024xf32>
    }
    gpu.return
  }
}

}
