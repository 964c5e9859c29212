// Code for a named processor: vectors have the width of its registers.

// RUN: lw-run %s --target x86 --cpu x86-64 --compile-to assembly | FileCheck %s --check-prefix=SSE
// RUN: lw-run %s --target x86 --cpu haswell --compile-to assembly | FileCheck %s --check-prefix=AVX2
// RUN: lw-run %s --target x86 --cpu znver4 --compile-to assembly | FileCheck %s --check-prefix=AVX512
// RUN: lw-run %s --entry ones --target x86 --cpu x86-64 --output %t.npy | FileCheck %s --check-prefix=DONE
// RUN: lw-run %s --entry ones --target x86 --check %t.npy --rtol 0 --atol 0
// RUN: not lw-run %s --target x86 --cpu pentium9 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not lw-run %s --target x86 --cpu i386 2>&1 | FileCheck %s --check-prefix=NARROW
// Code for instructions that this machine lacks is not run.
// RUN: not lw-run %s --target x86 --cpu sapphirerapids --input none.npy 2>&1 | FileCheck %s --check-prefix=LACKS
// RUN: not lw-run %s --target x86 --cpu znver5 --input none.npy 2>&1 | FileCheck %s --check-prefix=LACKS

// SSE-LABEL:    main_kernel:
// SSE-NOT:        ymm
// SSE:            {{[[:space:]]}}addps %xmm
// AVX2-LABEL:   main_kernel:
// AVX2-NOT:       zmm
// AVX2:           vaddps {{.*}}%ymm
// AVX512-LABEL: main_kernel:
// AVX512:         vaddps {{.*}}%zmm
// DONE: cpu.mlir: x86, {{.*}} ms
// UNKNOWN: lw-run: error: --cpu: 'pentium9' is not a processor of x86_64-
// NARROW: lw-run: error: --cpu: 'i386' has no 64-bit mode, which x86_64-
// LACKS: {{lw-run: error: (code for [a-z0-9]+ may use [a-z0-9.-]+, which this machine's processor does not have: print it with --compile-to, or run it without --cpu|none.npy)}}
func.func @main(%A: memref<64xf32>, %B: memref<64xf32> {loop.result}) {
  loop.for vectorize %i in 64 {
    loop.block "B" [%v: spatial 64] = (%i) reads(%A[%v : 1]) writes(%B[%v : 1]) {
      %a = memref.load %A[%v] : memref<64xf32>
      %b = arith.addf %a, %a : f32
      memref.store %b, %B[%v] : memref<64xf32>
    }
  }
  return
}

func.func @ones(%B: memref<64xf32> {loop.result}) {
  loop.for vectorize %i in 64 {
    loop.block "ones" [%v: spatial 64] = (%i) writes(%B[%v : 1]) {
      %a = arith.constant 1.0 : f32
      memref.store %a, %B[%v] : memref<64xf32>
    }
  }
  return
}
