// A fault is reported with the kernel, the loops and the block of the nest, and the thread.
// RUN: not lw-run %s --no-schedule --target sm_80 --device emulator 2>&1 | FileCheck %s
// RUN: not lw-run %s --no-schedule --target sm_90a --device emulator 2>&1 | FileCheck %s
// CHECK: fault_out_of_bounds.mlir: error: main_0: kernel main_0, PTX line {{[0-9]+}} (loop b>t, block shift, fault_out_of_bounds.mlir:13:9), block (1, 0, 0), thread (31, 0, 0): st.global.b32: write of 4 bytes of global memory at {{.*}}, which is out of bounds: 0 bytes after the end of the 256 bytes at

func.func @main(%Y: memref<64xi32> {loop.result}) {
  loop.for thread_bind[blockIdx.x] %b in 2 {
    loop.for thread_bind[threadIdx.x] %t in 32 {
      loop.block "shift" [%i: spatial 64] = (%b * 32 + %t) writes(%Y[0 : 64]) {
        %one = arith.constant 1 : index
        %k = arith.addi %i, %one : index
        %x = arith.index_cast %i : index to i32
        memref.store %x, %Y[%k] : memref<64xi32>
      }
    }
  }
  return
}
