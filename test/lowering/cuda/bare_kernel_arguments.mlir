// A buffer of dynamic size is passed as a pointer and sizes; a size that is already passed is not passed again.
// RUN: lw-opt %s --bare-kernel-arguments --canonicalize --cse | FileCheck %s

module attributes {gpu.container_module} {
  // CHECK-LABEL: func.func @main(
  // CHECK-DAG:     %[[N:.*]] = memref.dim %arg0, %c0
  // CHECK-DAG:     %[[M:.*]] = memref.dim %arg1, %c0
  // CHECK-DAG:     %[[K:.*]] = memref.dim %arg1, %c2
  // CHECK-DAG:     %[[A:.*]], %{{.*}}, %{{.*}}, %{{.*}} = memref.extract_strided_metadata %arg0
  // CHECK-DAG:     %[[B:.*]], %{{.*}}, %{{.*}}:3, %{{.*}}:3 = memref.extract_strided_metadata %arg1
  // CHECK:         gpu.launch_func @kernels::@f blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
  // CHECK-SAME:      args(%[[A]] : memref<f32>, %[[B]] : memref<f32>, %arg2 : memref<4xf32>, %[[N]] : index, %[[M]] : index, %[[K]] : index)
  func.func @main(%A: memref<?xf32>, %B: memref<?x8x?xf32>, %C: memref<4xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %n = memref.dim %A, %c0 : memref<?xf32>
    gpu.launch_func @kernels::@f blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
        args(%A : memref<?xf32>, %B : memref<?x8x?xf32>, %C : memref<4xf32>, %n : index)
    return
  }
  gpu.module @kernels {
    // CHECK-LABEL: gpu.func @f(
    // CHECK-SAME:      %[[A:.*]]: memref<f32> {llvm.noalias}, %[[B:.*]]: memref<f32> {llvm.noalias}, %{{.*}}: memref<4xf32> {llvm.noalias}, %[[N:.*]]: index, %[[M:.*]]: index, %[[K:arg5]]: index)
    // CHECK-DAG:     %[[S:.*]] = arith.muli %[[K]], %c8 : index
    // CHECK-DAG:     memref.reinterpret_cast %[[A]] to offset: [0], sizes: [%[[N]]], strides: [1] : memref<f32> to memref<?xf32>
    // CHECK-DAG:     memref.reinterpret_cast %[[B]] to offset: [0], sizes: [%[[M]], 8, %[[K]]], strides: [%[[S]], %[[K]], 1] : memref<f32> to memref<?x8x?xf32>
    gpu.func @f(%A: memref<?xf32> {llvm.noalias}, %B: memref<?x8x?xf32> {llvm.noalias}, %C: memref<4xf32> {llvm.noalias}, %n: index) kernel {
      %c0 = arith.constant 0 : index
      %a = memref.load %A[%n] : memref<?xf32>
      %b = memref.load %B[%n, %n, %n] : memref<?x8x?xf32>
      %s = arith.addf %a, %b : f32
      memref.store %s, %C[%c0] : memref<4xf32>
      gpu.return
    }
  }
}
