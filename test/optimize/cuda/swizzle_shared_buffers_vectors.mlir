// RUN: lw-opt %s --verify-each=numeric \
// RUN:     --pass-pipeline='builtin.module(gpu.module(gpu.func(swizzle-shared-buffers)))' | FileCheck %s
// RUN: lw-opt %s --pass-report -o /dev/null \
// RUN:     --pass-pipeline='builtin.module(gpu.module(gpu.func(swizzle-shared-buffers)))' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=COUNTS

module attributes {gpu.container_module} {

// Vectors of 16 bytes stay together: the index is combined with a multiple of four. In a quarter warp 8 rows conflict.
// CHECK-LABEL: gpu.func @vectors_0(
// CHECK-SAME:      workgroup(%[[S:.*]] : memref<32x32xf32, #gpu.address_space<workgroup>>
// CHECK:         %[[BY:.*]] = arith.shli %{{.*}}, %c2{{.*}} : index
// CHECK:         %[[ROW:.*]] = arith.andi %[[BY]], %c28{{.*}} : index
// CHECK:         %[[AT:.*]] = arith.xori %{{.*}}, %[[ROW]] : index
// CHECK:         vector.load %[[S]][%{{.*}}, %[[AT]]] {alignment = 16 : i64}
// COUNTS-DAG:      swizzle-shared-buffers  @vectors_0 {{.*}} ms  changed, 1 swizzled, 288 before, 64 after
func.func @vectors(%A: memref<32x32xf32>, %B: memref<32x32xf32> {loop.result}) {
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  gpu.launch_func @kernels_of_vectors::@vectors_0 blocks in (%c1, %c1, %c1) threads in (%c32, %c1, %c1)
      args(%A : memref<32x32xf32>, %B : memref<32x32xf32>)
  return
}
gpu.module @kernels_of_vectors {
  gpu.func @vectors_0(%A: memref<32x32xf32>, %B: memref<32x32xf32>)
      workgroup(%S: memref<32x32xf32, #gpu.address_space<workgroup>> {llvm.align = 16 : i64}) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %c32 = arith.constant 32 : index
    %t = gpu.thread_id x
    scf.for %k = %c0 to %c32 step %c1 {
      %a = memref.load %A[%k, %t] : memref<32x32xf32>
      memref.store %a, %S[%k, %t] : memref<32x32xf32, #gpu.address_space<workgroup>>
    }
    gpu.barrier
    scf.for %k = %c0 to %c8 step %c1 {
      %c = arith.muli %k, %c4 : index
      %a = vector.load %S[%t, %c] {alignment = 16 : i64} : memref<32x32xf32, #gpu.address_space<workgroup>>, vector<4xf32>
      vector.store %a, %B[%t, %c] : memref<32x32xf32>, vector<4xf32>
    }
    gpu.return
  }
}

// (C5) Without an alignment a vector may straddle two units: it is accessed by elements, and rows become longer.
// CHECK-LABEL: gpu.func @unaligned_0(
// CHECK-SAME:      workgroup(%[[S:.*]] : memref<32x33xf32, #gpu.address_space<workgroup>>
// CHECK-NOT:     arith.xori
// COUNTS-DAG:      swizzle-shared-buffers  @unaligned_0 {{.*}} ms  changed, 1 padded, 128 bytes, 1056 before, 64 after
func.func @unaligned(%A: memref<32x32xf32>, %B: memref<32x32xf32> {loop.result}) {
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  gpu.launch_func @kernels_of_unaligned::@unaligned_0 blocks in (%c1, %c1, %c1) threads in (%c32, %c1, %c1)
      args(%A : memref<32x32xf32>, %B : memref<32x32xf32>)
  return
}
gpu.module @kernels_of_unaligned {
  gpu.func @unaligned_0(%A: memref<32x32xf32>, %B: memref<32x32xf32>)
      workgroup(%S: memref<32x32xf32, #gpu.address_space<workgroup>> {llvm.align = 16 : i64}) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %c32 = arith.constant 32 : index
    %t = gpu.thread_id x
    scf.for %k = %c0 to %c32 step %c1 {
      %a = memref.load %A[%k, %t] : memref<32x32xf32>
      memref.store %a, %S[%k, %t] : memref<32x32xf32, #gpu.address_space<workgroup>>
    }
    gpu.barrier
    scf.for %k = %c0 to %c8 step %c1 {
      %c = arith.muli %k, %c4 : index
      %a = vector.load %S[%t, %c] : memref<32x32xf32, #gpu.address_space<workgroup>>, vector<4xf32>
      vector.store %a, %B[%t, %c] : memref<32x32xf32>, vector<4xf32>
    }
    gpu.return
  }
}

// (C5) So it may if the buffer is less aligned than the vector. Rows become longer and keep the alignment.
// CHECK-LABEL: gpu.func @base_unaligned_0(
// CHECK-SAME:      workgroup(%[[S:.*]] : memref<32x36xf32, #gpu.address_space<workgroup>>
// CHECK-NOT:     arith.xori
// COUNTS-DAG:      swizzle-shared-buffers  @base_unaligned_0 {{.*}} ms  changed, 1 padded, 512 bytes, 288 before, 64 after
func.func @base_unaligned(%A: memref<32x32xf32>, %B: memref<32x32xf32> {loop.result}) {
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  gpu.launch_func @kernels_of_base_unaligned::@base_unaligned_0 blocks in (%c1, %c1, %c1) threads in (%c32, %c1, %c1)
      args(%A : memref<32x32xf32>, %B : memref<32x32xf32>)
  return
}
gpu.module @kernels_of_base_unaligned {
  gpu.func @base_unaligned_0(%A: memref<32x32xf32>, %B: memref<32x32xf32>)
      workgroup(%S: memref<32x32xf32, #gpu.address_space<workgroup>>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %c32 = arith.constant 32 : index
    %t = gpu.thread_id x
    scf.for %k = %c0 to %c32 step %c1 {
      %a = memref.load %A[%k, %t] : memref<32x32xf32>
      memref.store %a, %S[%k, %t] : memref<32x32xf32, #gpu.address_space<workgroup>>
    }
    gpu.barrier
    scf.for %k = %c0 to %c8 step %c1 {
      %c = arith.muli %k, %c4 : index
      %a = vector.load %S[%t, %c] {alignment = 16 : i64} : memref<32x32xf32, #gpu.address_space<workgroup>>, vector<4xf32>
      vector.store %a, %B[%t, %c] : memref<32x32xf32>, vector<4xf32>
    }
    gpu.return
  }
}

// The loop over tiles has a dynamic extent; its first iterations access both tiles.
// CHECK-LABEL: gpu.func @two_tiles_0(
// CHECK-SAME:      workgroup(%[[S:.*]] : memref<2x16x16xf32, #gpu.address_space<workgroup>>
// CHECK:         gpu.barrier
// CHECK:         %[[AT:.*]] = arith.xori %{{.*}}, %[[T:.*]] : index
// CHECK:         memref.load %[[S]][%{{.*}}, %[[T]], %[[AT]]]
// COUNTS-DAG:      swizzle-shared-buffers  @two_tiles_0 {{.*}} ms  changed, 1 swizzled, 1152 before, 256 after
func.func @two_tiles(%A: memref<?x16x16xf32>, %B: memref<?x16x16xf32> {loop.result}, %n: index) {
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  gpu.launch_func @kernels_of_two_tiles::@two_tiles_0 blocks in (%c1, %c1, %c1) threads in (%c16, %c1, %c1)
      args(%A : memref<?x16x16xf32>, %B : memref<?x16x16xf32>, %n : index)
  return
}
gpu.module @kernels_of_two_tiles {
  gpu.func @two_tiles_0(%A: memref<?x16x16xf32>, %B: memref<?x16x16xf32>, %n: index)
      workgroup(%S: memref<2x16x16xf32, #gpu.address_space<workgroup>> {llvm.align = 16 : i64}) kernel attributes {known_block_size = array<i32: 16, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c16 = arith.constant 16 : index
    %t = gpu.thread_id x
    scf.for %i = %c0 to %n step %c1 {
      %two = arith.remui %i, %c2 : index
      scf.for %k = %c0 to %c16 step %c1 {
        %a = memref.load %A[%i, %k, %t] : memref<?x16x16xf32>
        memref.store %a, %S[%two, %k, %t] : memref<2x16x16xf32, #gpu.address_space<workgroup>>
      }
      gpu.barrier
      scf.for %k = %c0 to %c16 step %c1 {
        %a = memref.load %S[%two, %t, %k] : memref<2x16x16xf32, #gpu.address_space<workgroup>>
        memref.store %a, %B[%i, %k, %t] : memref<?x16x16xf32>
      }
      gpu.barrier
    }
    gpu.return
  }
}

// Lanes that a condition excludes take no part: of 9 rows 9 wavefronts.
// CHECK-LABEL: gpu.func @guarded_0(
// CHECK-SAME:      workgroup(%[[S:.*]] : memref<32x32xf32, #gpu.address_space<workgroup>>
// CHECK:         arith.xori
// COUNTS-DAG:      swizzle-shared-buffers  @guarded_0 {{.*}} ms  changed, 1 swizzled, 320 before, 64 after
func.func @guarded(%A: memref<32x32xf32>, %B: memref<32x32xf32> {loop.result}) {
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  gpu.launch_func @kernels_of_guarded::@guarded_0 blocks in (%c1, %c1, %c1) threads in (%c32, %c1, %c1)
      args(%A : memref<32x32xf32>, %B : memref<32x32xf32>)
  return
}
gpu.module @kernels_of_guarded {
  gpu.func @guarded_0(%A: memref<32x32xf32>, %B: memref<32x32xf32>)
      workgroup(%S: memref<32x32xf32, #gpu.address_space<workgroup>> {llvm.align = 16 : i64}) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c9 = arith.constant 9 : index
    %c32 = arith.constant 32 : index
    %t = gpu.thread_id x
    scf.for %k = %c0 to %c32 step %c1 {
      %a = memref.load %A[%k, %t] : memref<32x32xf32>
      memref.store %a, %S[%k, %t] : memref<32x32xf32, #gpu.address_space<workgroup>>
    }
    gpu.barrier
    %in = arith.cmpi ult, %t, %c9 : index
    scf.if %in {
  scf.for %k = %c0 to %c32 step %c1 {
        %a = memref.load %S[%t, %k] : memref<32x32xf32, #gpu.address_space<workgroup>>
        memref.store %a, %B[%t, %k] : memref<32x32xf32>
      }
    }
    gpu.return
  }
}

// Anti-diagonals of rows of odd length: no power of two divides 33, but 32 divides the number of elements.
// CHECK-LABEL: gpu.func @diagonals_0(
// CHECK-SAME:      workgroup(%[[S:.*]] : memref<1056xf32, #gpu.address_space<workgroup>>
// CHECK:         arith.xori
// COUNTS-DAG:      swizzle-shared-buffers  @diagonals_0 {{.*}} ms  changed, 1 swizzled, 833 before, 97 after
func.func @diagonals(%A: memref<32x33xf32>, %B: memref<32x33xf32> {loop.result}) {
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  gpu.launch_func @kernels_of_diagonals::@diagonals_0 blocks in (%c1, %c1, %c1) threads in (%c32, %c1, %c1)
      args(%A : memref<32x33xf32>, %B : memref<32x33xf32>)
  return
}
gpu.module @kernels_of_diagonals {
  gpu.func @diagonals_0(%A: memref<32x33xf32>, %B: memref<32x33xf32>)
      workgroup(%S: memref<32x33xf32, #gpu.address_space<workgroup>> {llvm.align = 16 : i64}) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %c33 = arith.constant 33 : index
    %t = gpu.thread_id x
    scf.for %k = %c0 to %c33 step %c1 {
      %n = arith.muli %k, %c32 : index
      %m = arith.addi %n, %t : index
      %r = arith.divui %m, %c33 : index
      %c = arith.remui %m, %c33 : index
      %a = memref.load %A[%r, %c] : memref<32x33xf32>
      memref.store %a, %S[%r, %c] : memref<32x33xf32, #gpu.address_space<workgroup>>
    }
    gpu.barrier
    scf.for %k = %c0 to %c33 step %c1 {
      %f = arith.addi %k, %c33 : index
      %d = arith.subi %f, %t : index
      %c = arith.remui %d, %c33 : index
      %a = memref.load %S[%t, %c] : memref<32x33xf32, #gpu.address_space<workgroup>>
      memref.store %a, %B[%t, %c] : memref<32x33xf32>
    }
    gpu.return
  }
}

}
