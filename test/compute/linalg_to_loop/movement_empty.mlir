// A tensor without elements that is padded is not read: GPUs do not support accesses of it.
// RUN: lw-opt %s --convert-linalg-to-loop | FileCheck %s
// RUN: lw-run %s --target sm_80 --device emulator --input iota --output %t.npy
// RUN: lw-run %s --input iota --check %t.npy
// CHECK-LABEL: func.func @main(
// CHECK-NOT: memref.load %arg0
// CHECK-NOT: loop.if
// CHECK: return
func.func @main(%x: tensor<16x0xf32>) -> tensor<16x4xf32> {
  %one = arith.constant 1.0 : f32
  %y = tensor.pad %x low[0, 2] high[0, 2] {
  ^bb0(%i: index, %j: index):
    tensor.yield %one : f32
  } : tensor<16x0xf32> to tensor<16x4xf32>
  return %y : tensor<16x4xf32>
}
