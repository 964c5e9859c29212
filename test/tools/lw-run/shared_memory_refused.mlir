// The declared and the requested shared memory of a launch together exceed the device's. Neither the driver nor the
// emulator starts it.
// RUN: ln -s %{cuda} libcuda.so.1
// RUN: not env LD_LIBRARY_PATH=. lw-run %s --entry main --compile-from gpu --target sm_90a --device cuda:0 2>&1 | FileCheck %s --check-prefix=CUDA
// CUDA: shared_memory_refused.mlir: error: main_0: a thread block needs 232448 bytes of shared memory, but the device has 232192
// RUN: not lw-run %s --entry main --compile-from gpu --target sm_90a --device emulator 2>&1 | FileCheck %s --check-prefix=EMULATOR
// EMULATOR: shared_memory_refused.mlir: error: main_0: kernel main_0 needs 232704 bytes of shared memory, but a block of sm_90a has at most

module attributes {gpu.container_module} {
  func.func @main(%Y: memref<64xi32> {loop.result}) {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %bytes = arith.constant 232448 : i32
    gpu.launch_func @kernels::@main_0 blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) dynamic_shared_memory_size %bytes args(%Y : memref<64xi32>)
    return
  }
  gpu.module @kernels {
    gpu.func @main_0(%Y: memref<64xi32>) workgroup(%S: memref<64xi32, #gpu.address_space<workgroup>>) kernel
        attributes {known_block_size = array<i32: 64, 1, 1>} {
      %t = gpu.thread_id x
      %one = arith.constant 1 : i32
      memref.store %one, %S[%t] : memref<64xi32, #gpu.address_space<workgroup>>
      gpu.barrier
      %n = memref.load %S[%t] : memref<64xi32, #gpu.address_space<workgroup>>
      memref.store %n, %Y[%t] : memref<64xi32>
      gpu.return
    }
  }
}
