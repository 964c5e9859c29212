// RUN: lw-opt %s --bare-kernel-arguments -verify-diagnostics

module attributes {gpu.container_module} {
  func.func @c1_two_launches(%A: memref<?xf32>) {
    %c1 = arith.constant 1 : index
    // expected-note @below {{the first launch is here}}
    gpu.launch_func @kernels::@f blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%A : memref<?xf32>)
    // expected-error @below {{'gpu.launch_func' op launches a kernel a second time, expected one launch of each (C1)}}
    gpu.launch_func @kernels::@f blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%A : memref<?xf32>)
    return
  }
  gpu.module @kernels {
    gpu.func @f(%A: memref<?xf32>) kernel {
      gpu.return
    }
  }
}
