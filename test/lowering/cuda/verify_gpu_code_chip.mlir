// The limits depend on the chip.
// RUN: lw-opt %s --verify-gpu-code=chip=sm_90a
// RUN: not lw-opt %s --verify-gpu-code 2>&1 | FileCheck %s --check-prefix=DEFAULT
// RUN: not lw-opt %s --verify-gpu-code=chip=sm_86 2>&1 | FileCheck %s --check-prefix=SMALL
// RUN: not lw-opt %s --verify-gpu-code=chip=sm_12 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: lw-opt %s --convert-loop-to-gpu=chip=sm_90
// RUN: not lw-opt %s --convert-loop-to-gpu=chip=sm_89 2>&1 | FileCheck %s --check-prefix=LOWERED
// RUN: not lw-opt %s --convert-loop-to-gpu=chip=sm_12 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// DEFAULT: verify_gpu_code_chip.mlir:14:8: error: 'loop.buffer' op "S" and the buffers before it take 232448 bytes of shared memory, expected at most 166912 on sm_80 (C4)
// SMALL:   verify_gpu_code_chip.mlir:14:8: error: 'loop.buffer' op "S" and the buffers before it take 232448 bytes of shared memory, expected at most 101376 on sm_86 (C4)
// LOWERED: verify_gpu_code_chip.mlir:14:8: error: 'loop.buffer' op "S" and the buffers before it take 232448 bytes of shared memory, expected at most 101376 on sm_89 (C4)
// UNKNOWN: error: 'builtin.module' op is given chip sm_12, expected one of sm_80, sm_86, sm_87, sm_89, sm_90, sm_90a
func.func @main(%B: memref<58112xf32>) {
  %S = loop.buffer "S" scope(shared) : memref<58112xf32>
  loop.for thread_bind[threadIdx.x] %t in 8 {
    loop.block "S" [%v: spatial 8] = (%t) writes(%S[%v : 1]) {
      %c = arith.constant 1.0 : f32
      memref.store %c, %S[%v] : memref<58112xf32>
    }
    loop.block "B" [%v: spatial 8] = (%t) reads(%S[%v : 1]) writes(%B[%v : 1]) {
      %c = memref.load %S[%v] : memref<58112xf32>
      memref.store %c, %B[%v] : memref<58112xf32>
    }
  }
  return
}
