// The ranges of sizes that a cast hides.
// RUN: lw-opt %s --longlong2int --split-input-file | FileCheck %s
// RUN: lw-opt %s --longlong2int --split-input-file -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// The size of a buffer before a cast is known: no second version is needed.
// CHECK-LABEL: func.func @before_a_cast(
// CHECK-NOT:   scf.if
// CHECK:       gpu.func @f(
// CHECK-NOT:   gpu.func
module attributes {gpu.container_module} {
  func.func @before_a_cast(%A: memref<64xf32>) {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %cast = memref.cast %A : memref<64xf32> to memref<?xf32>
    gpu.launch_func @kernels::@f blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%cast : memref<?xf32>)
    return
  }
  gpu.module @kernels {
    gpu.func @f(%A: memref<?xf32>) kernel {
      %c0 = arith.constant 0 : index
      %n = memref.dim %A, %c0 : memref<?xf32>
      %t = gpu.thread_id x
      %i = arith.remui %t, %n : index
      %zero = arith.constant 0.0 : f32
      memref.store %zero, %A[%i] : memref<?xf32>
      gpu.return
    }
  }
}

// -----

// The bytes before the cast exceed 32 bits (C4).
// REMARK: remark: indices keep 64 bits: {{.*}} has 4294967296 bytes, whose offsets exceed 32 bits (C4)
// CHECK-LABEL: func.func @large_before_a_cast(
// CHECK-NOT:   scf.if
module attributes {gpu.container_module} {
  func.func @large_before_a_cast(%A: memref<1073741824xf32>) {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %cast = memref.cast %A : memref<1073741824xf32> to memref<?xf32>
    gpu.launch_func @kernels::@f blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%cast : memref<?xf32>)
    return
  }
  gpu.module @kernels {
    gpu.func @f(%A: memref<?xf32>) kernel {
      %t = gpu.thread_id x
      %zero = arith.constant 0.0 : f32
      memref.store %zero, %A[%t] : memref<?xf32>
      gpu.return
    }
  }
}

// -----

// A cast of a buffer whose size is unknown as well: the host selects a version by the size of that buffer.
// CHECK-LABEL: func.func @unknown_before_a_cast(
// CHECK:       memref.dim %arg0
// CHECK:       scf.if
// CHECK:       gpu.func @f_i32(
module attributes {gpu.container_module} {
  func.func @unknown_before_a_cast(%A: memref<4x?xf32>) {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %cast = memref.cast %A : memref<4x?xf32> to memref<?x?xf32>
    gpu.launch_func @kernels::@f blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%cast : memref<?x?xf32>)
    return
  }
  gpu.module @kernels {
    gpu.func @f(%A: memref<?x?xf32>) kernel {
      %c1 = arith.constant 1 : index
      %n = memref.dim %A, %c1 : memref<?x?xf32>
      %t = gpu.thread_id x
      %i = arith.remui %t, %n : index
      %zero = arith.constant 0.0 : f32
      memref.store %zero, %A[%i, %i] : memref<?x?xf32>
      gpu.return
    }
  }
}
