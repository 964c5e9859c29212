// RUN: lw-opt %s --pass-pipeline='builtin.module(gpu.module(gpu.func(swizzle-shared-buffers)))' | FileCheck %s

module attributes {gpu.container_module} {

// The same within the limits: it is changed.
// CHECK-LABEL: gpu.func @changed(
// CHECK:         arith.xori
gpu.module @kernels_of_changed {
  gpu.func @changed(%A: memref<32x32xf32>, %B: memref<32x32xf32>)
      workgroup(%S: memref<32x32xf32, #gpu.address_space<workgroup>> {llvm.align = 16 : i64}) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %t = gpu.thread_id x
    scf.for %k = %c0 to %c32 step %c1 {
      %a = memref.load %A[%k, %t] : memref<32x32xf32>
      memref.store %a, %S[%k, %t] : memref<32x32xf32, #gpu.address_space<workgroup>>
    }
    gpu.barrier
    scf.for %k = %c0 to %c32 step %c1 {
      %a = memref.load %S[%t, %k] : memref<32x32xf32, #gpu.address_space<workgroup>>
      memref.store %a, %B[%t, %k] : memref<32x32xf32>
    }
    gpu.return
  }
}

// (C1) More threads than a thread block can have.
// CHECK-LABEL: gpu.func @too_many_threads(
// CHECK-SAME:      workgroup(%{{.*}} : memref<32x32xf32, #gpu.address_space<workgroup>>
// CHECK-NOT:     arith.xori
// CHECK:         gpu.return
gpu.module @kernels_of_too_many_threads {
  gpu.func @too_many_threads(%A: memref<32x32xf32>, %B: memref<32x32xf32>)
      workgroup(%S: memref<32x32xf32, #gpu.address_space<workgroup>> {llvm.align = 16 : i64}) kernel attributes {known_block_size = array<i32: 2048, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %t = gpu.thread_id x
    scf.for %k = %c0 to %c32 step %c1 {
      %a = memref.load %A[%k, %t] : memref<32x32xf32>
      memref.store %a, %S[%k, %t] : memref<32x32xf32, #gpu.address_space<workgroup>>
    }
    gpu.barrier
    scf.for %k = %c0 to %c32 step %c1 {
      %a = memref.load %S[%t, %k] : memref<32x32xf32, #gpu.address_space<workgroup>>
      memref.store %a, %B[%t, %k] : memref<32x32xf32>
    }
    gpu.return
  }
}

// A buffer with more bytes than a thread block can have.
// CHECK-LABEL: gpu.func @too_large(
// CHECK-SAME:      workgroup(%{{.*}} : memref<4096x4096xf32, #gpu.address_space<workgroup>>
// CHECK-NOT:     arith.xori
// CHECK:         gpu.return
gpu.module @kernels_of_too_large {
  gpu.func @too_large(%A: memref<4096x4096xf32>, %B: memref<4096x4096xf32>)
      workgroup(%S: memref<4096x4096xf32, #gpu.address_space<workgroup>> {llvm.align = 16 : i64}) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %t = gpu.thread_id x
    scf.for %k = %c0 to %c32 step %c1 {
      %a = memref.load %A[%k, %t] : memref<4096x4096xf32>
      memref.store %a, %S[%k, %t] : memref<4096x4096xf32, #gpu.address_space<workgroup>>
    }
    gpu.barrier
    scf.for %k = %c0 to %c32 step %c1 {
      %a = memref.load %S[%t, %k] : memref<4096x4096xf32, #gpu.address_space<workgroup>>
      memref.store %a, %B[%t, %k] : memref<4096x4096xf32>
    }
    gpu.return
  }
}

// Words do not contain a whole number of such elements.
// CHECK-LABEL: gpu.func @three_bytes(
// CHECK-SAME:      workgroup(%{{.*}} : memref<32x32xi24, #gpu.address_space<workgroup>>
// CHECK-NOT:     arith.xori
// CHECK:         gpu.return
gpu.module @kernels_of_three_bytes {
  gpu.func @three_bytes(%A: memref<32x32xi24>, %B: memref<32x32xi24>)
      workgroup(%S: memref<32x32xi24, #gpu.address_space<workgroup>> {llvm.align = 16 : i64}) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %t = gpu.thread_id x
    scf.for %k = %c0 to %c32 step %c1 {
      %a = memref.load %A[%k, %t] : memref<32x32xi24>
      memref.store %a, %S[%k, %t] : memref<32x32xi24, #gpu.address_space<workgroup>>
    }
    gpu.barrier
    scf.for %k = %c0 to %c32 step %c1 {
      %a = memref.load %S[%t, %k] : memref<32x32xi24, #gpu.address_space<workgroup>>
      memref.store %a, %B[%t, %k] : memref<32x32xi24>
    }
    gpu.return
  }
}

// There is no last index.
// CHECK-LABEL: gpu.func @no_dimension(
// CHECK-SAME:      workgroup(%{{.*}} : memref<f32, #gpu.address_space<workgroup>>
// CHECK-NOT:     arith.xori
// CHECK:         gpu.return
gpu.module @kernels_of_no_dimension {
  gpu.func @no_dimension(%B: memref<32xf32>)
      workgroup(%S: memref<f32, #gpu.address_space<workgroup>> {llvm.align = 16 : i64}) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %t = gpu.thread_id x
    %a = memref.load %S[] : memref<f32, #gpu.address_space<workgroup>>
    memref.store %a, %B[%t] : memref<32xf32>
    gpu.return
  }
}
}
