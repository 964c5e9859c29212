// A module in which no function needs a kernel has no PTX.
// RUN: lw-run %s --target sm_80 --device emulator --input ones | FileCheck %s
// RUN: lw-run %s --target sm_90a --device emulator --input ones --time 0.01 | FileCheck %s

// CHECK: result 0: 2x0xf32 = {{\[\[\], \[\]\]}}
func.func @main(%x: tensor<f32>) -> tensor<2x0xf32> {
  %0 = tensor.empty() : tensor<2x0xf32>
  return %0 : tensor<2x0xf32>
}
