// Functions that kernels call, and functions with loops, are inlined by the GPU pipeline.
// RUN: lw-run %s --target sm_80 --no-schedule --compile-to gpu | FileCheck %s
// RUN: lw-run %s --target sm_80 --compile-to ptx | grep -v "\.file" | FileCheck %s --check-prefix=PTX \
// RUN:   --implicit-check-not="call" --implicit-check-not=".func"
// RUN: not lw-run %S/Inputs/gpu_recursion.mlir --target sm_80 --compile-to gpu 2>&1 | FileCheck %s --check-prefix=AGAIN

// CHECK-NOT:  func.func private
// CHECK:      func.func @main
// CHECK-COUNT-2: gpu.launch_func
// CHECK-NOT:  func.call
// CHECK:      gpu.func @main_0
// CHECK:        arith.mulf
// CHECK:      gpu.func @main_1
// CHECK:        arith.mulf

// PTX-COUNT-2: .visible .entry main_

// AGAIN: gpu_recursion.mlir:11:3: error: 'func.call' op calls @again, which calls @again again
func.func private @square(%x: f32) -> f32 {
  %0 = arith.mulf %x, %x : f32
  return %0 : f32
}

func.func private @squares(%A: memref<64xf32>, %B: memref<64xf32>) {
  loop.for thread_bind[threadIdx.x] %t in 64 {
    loop.block "B" [%v: spatial 64] = (%t) reads(%A[%v : 1]) writes(%B[%v : 1]) {
      %a = memref.load %A[%v] : memref<64xf32>
      %s = func.call @square(%a) : (f32) -> f32
      memref.store %s, %B[%v] : memref<64xf32>
    }
  }
  return
}

func.func @main(%A: memref<64xf32>, %B: memref<64xf32>, %C: memref<64xf32>) {
  call @squares(%A, %B) : (memref<64xf32>, memref<64xf32>) -> ()
  call @squares(%B, %C) : (memref<64xf32>, memref<64xf32>) -> ()
  return
}
