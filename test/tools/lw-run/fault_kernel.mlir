// Kernels that our lowering never generates: a barrier that half of the threads skip, and vectors with wrong alignment.
// Locations have the names that convert-loop-to-gpu would give them.
// RUN: not lw-run %s --entry barrier --compile-from gpu --target sm_80 --device emulator 2>&1 | FileCheck %s --check-prefix=BARRIER
// BARRIER: fault_kernel.mlir: error: barrier_0: kernel barrier_0, PTX line {{[0-9]+}} (loop t, nest.mlir:7:7), block (0, 0, 0), thread (32, 0, 0): bar.sync: barrier 0 is not reached by all threads: others wait for it at PTX line {{[0-9]+}}

// RUN: not lw-run %s --entry misaligned --compile-from gpu --target sm_80 --device emulator 2>&1 | FileCheck %s --check-prefix=MISALIGNED
// MISALIGNED: fault_kernel.mlir: error: misaligned_0: kernel misaligned_0, PTX line {{[0-9]+}} (loop t, block wide, nest.mlir:9:7), block (0, 0, 0), thread (1, 0, 0): st.global.v4.b32: write of 16 bytes of global memory at {{.*}}, which is not a multiple of 16

module attributes {gpu.container_module} {
  func.func @barrier(%Y: memref<64xi32> {loop.result}) {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    gpu.launch_func @kernels::@barrier_0 blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%Y : memref<64xi32>)
    return
  }
  func.func @misaligned(%Y: memref<64xi32> {loop.result}) {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    gpu.launch_func @kernels::@misaligned_0 blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%Y : memref<64xi32>)
    return
  }
  gpu.module @kernels {
    gpu.func @barrier_0(%Y: memref<64xi32>) workgroup(%tile: memref<64xi32, #gpu.address_space<workgroup>> {llvm.align = 16 : i64}) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
      %c32 = arith.constant 32 : index
      %c63 = arith.constant 63 : index
      %t = gpu.thread_id x
      %x = arith.index_cast %t : index to i32
      memref.store %x, %tile[%t] : memref<64xi32, #gpu.address_space<workgroup>>
      %half = arith.cmpi slt, %t, %c32 : index
      scf.if %half {
        gpu.barrier loc(#half)
        %k = arith.subi %c63, %t : index
        %y = memref.load %tile[%k] : memref<64xi32, #gpu.address_space<workgroup>>
        memref.store %y, %Y[%t] : memref<64xi32>
      }
      gpu.barrier loc(#all)
      gpu.return
    }
    gpu.func @misaligned_0(%Y: memref<64xi32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
      %c60 = arith.constant 60 : index
      %zeros = arith.constant dense<0> : vector<4xi32>
      %t = gpu.thread_id x
      %k = arith.minsi %t, %c60 : index
      vector.store %zeros, %Y[%k] {alignment = 16} : memref<64xi32>, vector<4xi32> loc(#wide)
      gpu.return
    }
  }
}
#half = loc("loop t, block half"("nest.mlir":5:7))
#all = loc("loop t"("nest.mlir":7:7))
#wide = loc("loop t, block wide"("nest.mlir":9:7))
