// RUN: lw-opt %s --dynamic-shared-memory --split-input-file --verify-diagnostics

gpu.module @c1_no_numbers {
  // expected-error @below {{'llvm.mlir.global' op is shared memory of type !llvm.array<2 x array<8 x f32>>, expected an array of numbers (C1)}}
  llvm.mlir.global internal @s() {addr_space = 3 : i32} : !llvm.array<2 x array<8 x f32>>
  llvm.func @f() attributes {gpu.kernel, nvvm.kernel} {
    %s = llvm.mlir.addressof @s : !llvm.ptr<3>
    llvm.return
  }
}

// -----

module attributes {gpu.container_module} {
  func.func @c2_asks_itself() {
    %c1 = arith.constant 1 : index
    %bytes = arith.constant 16 : i32
    // expected-error @below {{'gpu.launch_func' op requests dynamic shared memory for a kernel that already has 65536 bytes, expected at most 49152 (C2)}}
    gpu.launch_func @kernels::@f blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) dynamic_shared_memory_size %bytes
    return
  }
  gpu.module @kernels {
    llvm.mlir.global internal @s() {addr_space = 3 : i32} : !llvm.array<16384 x f32>
    llvm.func @f() attributes {gpu.kernel, nvvm.kernel} {
      %s = llvm.mlir.addressof @s : !llvm.ptr<3>
      llvm.return
    }
  }
}

// -----

gpu.module @c3_more_than_any_device_has {
  llvm.mlir.global internal @s() {addr_space = 3 : i32} : !llvm.array<4611686018427387904 x i8>
  llvm.mlir.global internal @t() {addr_space = 3 : i32} : !llvm.array<4611686018427387904 x i8>
  // expected-error @below {{'llvm.func' op uses 9223372036854775807 bytes of shared memory, expected at most 232448 (C3)}}
  llvm.func @f() attributes {gpu.kernel, nvvm.kernel} {
    %s = llvm.mlir.addressof @s : !llvm.ptr<3>
    %t = llvm.mlir.addressof @t : !llvm.ptr<3>
    llvm.return
  }
}

// -----

gpu.module @c3_a_byte_more {
  llvm.mlir.global internal @s() {addr_space = 3 : i32} : !llvm.array<232449 x i8>
  // expected-error @below {{'llvm.func' op uses 232449 bytes of shared memory, expected at most 232448 (C3)}}
  llvm.func @f() attributes {gpu.kernel, nvvm.kernel} {
    %s = llvm.mlir.addressof @s : !llvm.ptr<3>
    llvm.return
  }
}

// -----

gpu.module @c4_of_two_kernels {
  // expected-error @below {{'llvm.mlir.global' op is shared memory of two kernels, expected a separate buffer for each (C4)}}
  llvm.mlir.global internal @s() {addr_space = 3 : i32} : !llvm.array<16384 x f32>
  llvm.func @f() attributes {gpu.kernel, nvvm.kernel} {
    %s = llvm.mlir.addressof @s : !llvm.ptr<3>
    llvm.return
  }
  // expected-note @below {{the other kernel is here}}
  llvm.func @g() attributes {gpu.kernel, nvvm.kernel} {
    %s = llvm.mlir.addressof @s : !llvm.ptr<3>
    llvm.return
  }
}
