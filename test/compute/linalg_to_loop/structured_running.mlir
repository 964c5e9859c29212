// Results that need partial results of a reduction. Each iteration sees those of the iterations before it.
// RUN: lw-run %s --entry sums_in --output %t.sums.i0.npy
// RUN: lw-run %s --entry sums_out --output %t.sums.o0.npy --output %t.sums.o1.npy
// RUN: lw-run %s --entry sums --input %t.sums.i0.npy --check %t.sums.o0.npy --check %t.sums.o1.npy --rtol 0 --atol 0 --execute input | FileCheck %s
// RUN: lw-run %s --entry sums --input %t.sums.i0.npy --check %t.sums.o0.npy --check %t.sums.o1.npy --rtol 0 --atol 0 --execute loop | FileCheck %s
// RUN: lw-run %s --entry sums --input %t.sums.i0.npy --check %t.sums.o0.npy --check %t.sums.o1.npy --rtol 0 --atol 0 --target x86 | FileCheck %s
// RUN: lw-run %s --entry sums --input %t.sums.i0.npy --check %t.sums.o0.npy --check %t.sums.o1.npy --rtol 0 --atol 0 --target sm_80 --device emulator | FileCheck %s
// RUN: lw-run %s --entry before_in --output %t.before.i0.npy
// RUN: lw-run %s --entry before_out --output %t.before.o0.npy --output %t.before.o1.npy
// RUN: lw-run %s --entry before --input %t.before.i0.npy --check %t.before.o0.npy --check %t.before.o1.npy --rtol 0 --atol 0 --execute input | FileCheck %s
// RUN: lw-run %s --entry before --input %t.before.i0.npy --check %t.before.o0.npy --check %t.before.o1.npy --rtol 0 --atol 0 --execute loop | FileCheck %s
// RUN: lw-run %s --entry before --input %t.before.i0.npy --check %t.before.o0.npy --check %t.before.o1.npy --rtol 0 --atol 0 --target x86 | FileCheck %s
// RUN: lw-run %s --entry before --input %t.before.i0.npy --check %t.before.o0.npy --check %t.before.o1.npy --rtol 0 --atol 0 --target sm_80 --device emulator | FileCheck %s
// CHECK: max error 0{{.*}}passed

#all = affine_map<(i, k) -> (i, k)>
#row = affine_map<(i, k) -> (i)>
func.func @sums(%x: tensor<3x5xf32>) -> (tensor<3x5xf32>, tensor<3xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<3x5xf32>
  %f = tensor.empty() : tensor<3xf32>
  %start = linalg.fill ins(%zero : f32) outs(%f : tensor<3xf32>) -> tensor<3xf32>
  %r:2 = linalg.generic {indexing_maps = [#all, #all, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<3x5xf32>) outs(%e, %start : tensor<3x5xf32>, tensor<3xf32>) {
  ^bb0(%a: f32, %o: f32, %sum: f32):
    %0 = arith.addf %sum, %a : f32
    linalg.yield %0, %0 : f32, f32
  } -> (tensor<3x5xf32>, tensor<3xf32>)
  return %r#0, %r#1 : tensor<3x5xf32>, tensor<3xf32>
}
func.func @sums_in() -> (tensor<3x5xf32>) {
  %0 = arith.constant dense<[[4.0, -2.0, -3.0, -3.0, -4.0], [-1.0, -3.0, -4.0, 0.0, 1.0], [3.0, -1.0, -2.0, 1.0, 0.0]]> : tensor<3x5xf32>
  return %0 : tensor<3x5xf32>
}
func.func @sums_out() -> (tensor<3x5xf32>, tensor<3xf32>) {
  %0 = arith.constant dense<[[4.0, 2.0, -1.0, -4.0, -8.0], [-1.0, -4.0, -8.0, -8.0, -7.0], [3.0, 2.0, 0.0, 1.0, 1.0]]> : tensor<3x5xf32>
  %1 = arith.constant dense<[-8.0, -7.0, 1.0]> : tensor<3xf32>
  return %0, %1 : tensor<3x5xf32>, tensor<3xf32>
}

// The sum before each element, times the element.
func.func @before(%x: tensor<3x5xf32>) -> (tensor<3x5xf32>, tensor<3xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<3x5xf32>
  %f = tensor.empty() : tensor<3xf32>
  %start = linalg.fill ins(%zero : f32) outs(%f : tensor<3xf32>) -> tensor<3xf32>
  %r:2 = linalg.generic {indexing_maps = [#all, #all, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<3x5xf32>) outs(%e, %start : tensor<3x5xf32>, tensor<3xf32>) {
  ^bb0(%a: f32, %o: f32, %sum: f32):
    %0 = arith.mulf %sum, %a : f32
    %1 = arith.addf %sum, %a : f32
    linalg.yield %0, %1 : f32, f32
  } -> (tensor<3x5xf32>, tensor<3xf32>)
  return %r#0, %r#1 : tensor<3x5xf32>, tensor<3xf32>
}
func.func @before_in() -> (tensor<3x5xf32>) {
  %0 = arith.constant dense<[[4.0, -2.0, -3.0, -3.0, -4.0], [-1.0, -3.0, -4.0, 0.0, 1.0], [3.0, -1.0, -2.0, 1.0, 0.0]]> : tensor<3x5xf32>
  return %0 : tensor<3x5xf32>
}
func.func @before_out() -> (tensor<3x5xf32>, tensor<3xf32>) {
  %0 = arith.constant dense<[[0.0, -8.0, -6.0, 3.0, 16.0], [-0.0, 3.0, 16.0, -0.0, -8.0], [0.0, -3.0, -4.0, 0.0, 0.0]]> : tensor<3x5xf32>
  %1 = arith.constant dense<[-8.0, -7.0, 1.0]> : tensor<3xf32>
  return %0, %1 : tensor<3x5xf32>, tensor<3xf32>
}
