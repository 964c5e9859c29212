// linalg.softmax, pack and unpack, which upstream decomposes. The expected values are NumPy's.
// RUN: lw-run %s --entry softmax_in --output %t.softmax.i0.npy
// RUN: lw-run %s --entry softmax_out --output %t.softmax.o0.npy
// RUN: lw-run %s --entry softmax --input %t.softmax.i0.npy --check %t.softmax.o0.npy --rtol 1e-6 --atol 1e-7 --execute input | FileCheck %s
// RUN: lw-run %s --entry softmax --input %t.softmax.i0.npy --check %t.softmax.o0.npy --rtol 1e-6 --atol 1e-7 --execute loop | FileCheck %s
// RUN: lw-run %s --entry softmax --input %t.softmax.i0.npy --check %t.softmax.o0.npy --rtol 1e-6 --atol 1e-7 --target x86 | FileCheck %s
// RUN: lw-run %s --entry softmax --input %t.softmax.i0.npy --check %t.softmax.o0.npy --rtol 1e-6 --atol 1e-7 --target sm_80 --device emulator | FileCheck %s
// RUN: lw-run %s --entry pack_in --output %t.pack.i0.npy
// RUN: lw-run %s --entry pack_out --output %t.pack.o0.npy
// RUN: lw-run %s --entry pack --input %t.pack.i0.npy --check %t.pack.o0.npy --rtol 0 --atol 0 --execute input | FileCheck %s
// RUN: lw-run %s --entry pack --input %t.pack.i0.npy --check %t.pack.o0.npy --rtol 0 --atol 0 --execute loop | FileCheck %s
// RUN: lw-run %s --entry pack --input %t.pack.i0.npy --check %t.pack.o0.npy --rtol 0 --atol 0 --target x86 | FileCheck %s
// RUN: lw-run %s --entry pack --input %t.pack.i0.npy --check %t.pack.o0.npy --rtol 0 --atol 0 --target sm_80 --device emulator | FileCheck %s
// RUN: lw-run %s --entry unpack_in --output %t.unpack.i0.npy
// RUN: lw-run %s --entry unpack_out --output %t.unpack.o0.npy
// RUN: lw-run %s --entry unpack --input %t.unpack.i0.npy --check %t.unpack.o0.npy --rtol 0 --atol 0 --execute input | FileCheck %s
// RUN: lw-run %s --entry unpack --input %t.unpack.i0.npy --check %t.unpack.o0.npy --rtol 0 --atol 0 --execute loop | FileCheck %s
// RUN: lw-run %s --entry unpack --input %t.unpack.i0.npy --check %t.unpack.o0.npy --rtol 0 --atol 0 --target x86 | FileCheck %s
// RUN: lw-run %s --entry unpack --input %t.unpack.i0.npy --check %t.unpack.o0.npy --rtol 0 --atol 0 --target sm_80 --device emulator | FileCheck %s
// CHECK: passed

func.func @softmax(%x: tensor<3x5xf32>) -> tensor<3x5xf32> {
  %e = tensor.empty() : tensor<3x5xf32>
  %r = linalg.softmax dimension(1) ins(%x : tensor<3x5xf32>) outs(%e : tensor<3x5xf32>) -> tensor<3x5xf32>
  return %r : tensor<3x5xf32>
}
func.func @softmax_in() -> (tensor<3x5xf32>) {
  %0 = arith.constant dense<[[-4.0, -3.0, 2.0, -2.0, 2.0], [4.0, -2.0, 4.0, 1.0, 4.0], [3.0, -4.0, -1.0, 3.0, 3.0]]> : tensor<3x5xf32>
  return %0 : tensor<3x5xf32>
}
func.func @softmax_out() -> (tensor<3x5xf32>) {
  %0 = arith.constant dense<[[0.0012225463287904859, 0.0033232253044843674, 0.4932103753089905, 0.009033462963998318, 0.4932103753089905], [0.32762545347213745, 0.0008121023420244455, 0.32762545347213745, 0.016311511397361755, 0.32762545347213745], [0.33121055364608765, 0.00030202491325326264, 0.006066332571208477, 0.33121055364608765, 0.33121055364608765]]> : tensor<3x5xf32>
  return %0 : tensor<3x5xf32>
}

func.func @pack(%x: tensor<5x7xf32>) -> tensor<3x2x2x4xf32> {
  %nine = arith.constant 9.0 : f32
  %e = tensor.empty() : tensor<3x2x2x4xf32>
  %r = linalg.pack %x padding_value(%nine : f32) inner_dims_pos = [0, 1] inner_tiles = [2, 4] into %e : tensor<5x7xf32> -> tensor<3x2x2x4xf32>
  return %r : tensor<3x2x2x4xf32>
}
func.func @pack_in() -> (tensor<5x7xf32>) {
  %0 = arith.constant dense<[[4.0, 3.0, 4.0, -4.0, 2.0, -2.0, 2.0], [3.0, 2.0, 3.0, 1.0, -1.0, 3.0, -3.0], [0.0, 4.0, -2.0, 2.0, -4.0, 4.0, 4.0], [1.0, 2.0, 1.0, -3.0, -1.0, 3.0, -2.0], [-2.0, 2.0, 1.0, -1.0, -1.0, 3.0, -3.0]]> : tensor<5x7xf32>
  return %0 : tensor<5x7xf32>
}
func.func @pack_out() -> (tensor<3x2x2x4xf32>) {
  %0 = arith.constant dense<[[[[4.0, 3.0, 4.0, -4.0], [3.0, 2.0, 3.0, 1.0]], [[2.0, -2.0, 2.0, 9.0], [-1.0, 3.0, -3.0, 9.0]]], [[[0.0, 4.0, -2.0, 2.0], [1.0, 2.0, 1.0, -3.0]], [[-4.0, 4.0, 4.0, 9.0], [-1.0, 3.0, -2.0, 9.0]]], [[[-2.0, 2.0, 1.0, -1.0], [9.0, 9.0, 9.0, 9.0]], [[-1.0, 3.0, -3.0, 9.0], [9.0, 9.0, 9.0, 9.0]]]]> : tensor<3x2x2x4xf32>
  return %0 : tensor<3x2x2x4xf32>
}

func.func @unpack(%x: tensor<3x2x2x4xf32>) -> tensor<5x7xf32> {
  %e = tensor.empty() : tensor<5x7xf32>
  %r = linalg.unpack %x inner_dims_pos = [0, 1] inner_tiles = [2, 4] into %e : tensor<3x2x2x4xf32> -> tensor<5x7xf32>
  return %r : tensor<5x7xf32>
}
func.func @unpack_in() -> (tensor<3x2x2x4xf32>) {
  %0 = arith.constant dense<[[[[4.0, 3.0, 4.0, -4.0], [3.0, 2.0, 3.0, 1.0]], [[2.0, -2.0, 2.0, 9.0], [-1.0, 3.0, -3.0, 9.0]]], [[[0.0, 4.0, -2.0, 2.0], [1.0, 2.0, 1.0, -3.0]], [[-4.0, 4.0, 4.0, 9.0], [-1.0, 3.0, -2.0, 9.0]]], [[[-2.0, 2.0, 1.0, -1.0], [9.0, 9.0, 9.0, 9.0]], [[-1.0, 3.0, -3.0, 9.0], [9.0, 9.0, 9.0, 9.0]]]]> : tensor<3x2x2x4xf32>
  return %0 : tensor<3x2x2x4xf32>
}
func.func @unpack_out() -> (tensor<5x7xf32>) {
  %0 = arith.constant dense<[[4.0, 3.0, 4.0, -4.0, 2.0, -2.0, 2.0], [3.0, 2.0, 3.0, 1.0, -1.0, 3.0, -3.0], [0.0, 4.0, -2.0, 2.0, -4.0, 4.0, 4.0], [1.0, 2.0, 1.0, -3.0, -1.0, 3.0, -2.0], [-2.0, 2.0, 1.0, -1.0, -1.0, 3.0, -3.0]]> : tensor<5x7xf32>
  return %0 : tensor<5x7xf32>
}
