// tm_tensor.scan. The expected values are those of a NumPy loop by the definition. The first element of an inclusive scan
// is that of the input, without the accumulator.
// RUN: lw-run %s --entry inclusive_in --output %t.inclusive.i0.npy --output %t.inclusive.i1.npy
// RUN: lw-run %s --entry inclusive_out --output %t.inclusive.o0.npy --output %t.inclusive.o1.npy
// RUN: lw-run %s --entry inclusive --input %t.inclusive.i0.npy --input %t.inclusive.i1.npy --check %t.inclusive.o0.npy --check %t.inclusive.o1.npy --rtol 0 --atol 0 --execute input | FileCheck %s
// RUN: lw-run %s --entry inclusive --input %t.inclusive.i0.npy --input %t.inclusive.i1.npy --check %t.inclusive.o0.npy --check %t.inclusive.o1.npy --rtol 0 --atol 0 --execute loop | FileCheck %s
// RUN: lw-run %s --entry inclusive --input %t.inclusive.i0.npy --input %t.inclusive.i1.npy --check %t.inclusive.o0.npy --check %t.inclusive.o1.npy --rtol 0 --atol 0 --target x86 | FileCheck %s
// RUN: lw-run %s --entry inclusive --input %t.inclusive.i0.npy --input %t.inclusive.i1.npy --check %t.inclusive.o0.npy --check %t.inclusive.o1.npy --rtol 0 --atol 0 --target sm_80 --device emulator | FileCheck %s
// RUN: lw-run %s --entry exclusive_in --output %t.exclusive.i0.npy --output %t.exclusive.i1.npy
// RUN: lw-run %s --entry exclusive_out --output %t.exclusive.o0.npy --output %t.exclusive.o1.npy
// RUN: lw-run %s --entry exclusive --input %t.exclusive.i0.npy --input %t.exclusive.i1.npy --check %t.exclusive.o0.npy --check %t.exclusive.o1.npy --rtol 0 --atol 0 --execute input | FileCheck %s
// RUN: lw-run %s --entry exclusive --input %t.exclusive.i0.npy --input %t.exclusive.i1.npy --check %t.exclusive.o0.npy --check %t.exclusive.o1.npy --rtol 0 --atol 0 --execute loop | FileCheck %s
// RUN: lw-run %s --entry exclusive --input %t.exclusive.i0.npy --input %t.exclusive.i1.npy --check %t.exclusive.o0.npy --check %t.exclusive.o1.npy --rtol 0 --atol 0 --target x86 | FileCheck %s
// RUN: lw-run %s --entry exclusive --input %t.exclusive.i0.npy --input %t.exclusive.i1.npy --check %t.exclusive.o0.npy --check %t.exclusive.o1.npy --rtol 0 --atol 0 --target sm_80 --device emulator | FileCheck %s
// RUN: lw-run %s --entry products_in --output %t.products.i0.npy --output %t.products.i1.npy
// RUN: lw-run %s --entry products_out --output %t.products.o0.npy --output %t.products.o1.npy
// RUN: lw-run %s --entry products --input %t.products.i0.npy --input %t.products.i1.npy --check %t.products.o0.npy --check %t.products.o1.npy --rtol 0 --atol 0 --execute input | FileCheck %s
// RUN: lw-run %s --entry products --input %t.products.i0.npy --input %t.products.i1.npy --check %t.products.o0.npy --check %t.products.o1.npy --rtol 0 --atol 0 --execute loop | FileCheck %s
// RUN: lw-run %s --entry products --input %t.products.i0.npy --input %t.products.i1.npy --check %t.products.o0.npy --check %t.products.o1.npy --rtol 0 --atol 0 --target x86 | FileCheck %s
// RUN: lw-run %s --entry products --input %t.products.i0.npy --input %t.products.i1.npy --check %t.products.o0.npy --check %t.products.o1.npy --rtol 0 --atol 0 --target sm_80 --device emulator | FileCheck %s
// RUN: lw-run %s --entry maxima_in --output %t.maxima.i0.npy --output %t.maxima.i1.npy
// RUN: lw-run %s --entry maxima_out --output %t.maxima.o0.npy --output %t.maxima.o1.npy
// RUN: lw-run %s --entry maxima --input %t.maxima.i0.npy --input %t.maxima.i1.npy --check %t.maxima.o0.npy --check %t.maxima.o1.npy --rtol 0 --atol 0 --execute input | FileCheck %s
// RUN: lw-run %s --entry maxima --input %t.maxima.i0.npy --input %t.maxima.i1.npy --check %t.maxima.o0.npy --check %t.maxima.o1.npy --rtol 0 --atol 0 --execute loop | FileCheck %s
// RUN: lw-run %s --entry maxima --input %t.maxima.i0.npy --input %t.maxima.i1.npy --check %t.maxima.o0.npy --check %t.maxima.o1.npy --rtol 0 --atol 0 --target x86 | FileCheck %s
// RUN: lw-run %s --entry maxima --input %t.maxima.i0.npy --input %t.maxima.i1.npy --check %t.maxima.o0.npy --check %t.maxima.o1.npy --rtol 0 --atol 0 --target sm_80 --device emulator | FileCheck %s
// RUN: lw-run %s --entry integers_in --output %t.integers.i0.npy --output %t.integers.i1.npy
// RUN: lw-run %s --entry integers_out --output %t.integers.o0.npy --output %t.integers.o1.npy
// RUN: lw-run %s --entry integers --input %t.integers.i0.npy --input %t.integers.i1.npy --check %t.integers.o0.npy --check %t.integers.o1.npy --rtol 0 --atol 0 --execute input | FileCheck %s
// RUN: lw-run %s --entry integers --input %t.integers.i0.npy --input %t.integers.i1.npy --check %t.integers.o0.npy --check %t.integers.o1.npy --rtol 0 --atol 0 --execute loop | FileCheck %s
// RUN: lw-run %s --entry integers --input %t.integers.i0.npy --input %t.integers.i1.npy --check %t.integers.o0.npy --check %t.integers.o1.npy --rtol 0 --atol 0 --target x86 | FileCheck %s
// RUN: lw-run %s --entry integers --input %t.integers.i0.npy --input %t.integers.i1.npy --check %t.integers.o0.npy --check %t.integers.o1.npy --rtol 0 --atol 0 --target sm_80 --device emulator | FileCheck %s
// RUN: lw-run %s --entry dynamic_in --output %t.dynamic.i0.npy --output %t.dynamic.i1.npy
// RUN: lw-run %s --entry dynamic_out --output %t.dynamic.o0.npy --output %t.dynamic.o1.npy
// RUN: lw-run %s --entry dynamic --input %t.dynamic.i0.npy --input %t.dynamic.i1.npy --check %t.dynamic.o0.npy --check %t.dynamic.o1.npy --rtol 0 --atol 0 --execute input | FileCheck %s
// RUN: lw-run %s --entry dynamic --input %t.dynamic.i0.npy --input %t.dynamic.i1.npy --check %t.dynamic.o0.npy --check %t.dynamic.o1.npy --rtol 0 --atol 0 --execute loop | FileCheck %s
// RUN: lw-run %s --entry dynamic --input %t.dynamic.i0.npy --input %t.dynamic.i1.npy --check %t.dynamic.o0.npy --check %t.dynamic.o1.npy --rtol 0 --atol 0 --target x86 | FileCheck %s
// RUN: lw-run %s --entry dynamic --input %t.dynamic.i0.npy --input %t.dynamic.i1.npy --check %t.dynamic.o0.npy --check %t.dynamic.o1.npy --rtol 0 --atol 0 --target sm_80 --device emulator | FileCheck %s
// RUN: lw-run %s --entry dynamic_exclusive_in --output %t.dynamic_exclusive.i0.npy --output %t.dynamic_exclusive.i1.npy
// RUN: lw-run %s --entry dynamic_exclusive_out --output %t.dynamic_exclusive.o0.npy --output %t.dynamic_exclusive.o1.npy
// RUN: lw-run %s --entry dynamic_exclusive --input %t.dynamic_exclusive.i0.npy --input %t.dynamic_exclusive.i1.npy --check %t.dynamic_exclusive.o0.npy --check %t.dynamic_exclusive.o1.npy --rtol 0 --atol 0 --execute input | FileCheck %s
// RUN: lw-run %s --entry dynamic_exclusive --input %t.dynamic_exclusive.i0.npy --input %t.dynamic_exclusive.i1.npy --check %t.dynamic_exclusive.o0.npy --check %t.dynamic_exclusive.o1.npy --rtol 0 --atol 0 --execute loop | FileCheck %s
// RUN: lw-run %s --entry dynamic_exclusive --input %t.dynamic_exclusive.i0.npy --input %t.dynamic_exclusive.i1.npy --check %t.dynamic_exclusive.o0.npy --check %t.dynamic_exclusive.o1.npy --rtol 0 --atol 0 --target x86 | FileCheck %s
// RUN: lw-run %s --entry dynamic_exclusive --input %t.dynamic_exclusive.i0.npy --input %t.dynamic_exclusive.i1.npy --check %t.dynamic_exclusive.o0.npy --check %t.dynamic_exclusive.o1.npy --rtol 0 --atol 0 --target sm_80 --device emulator | FileCheck %s
// CHECK: max error 0{{.*}}passed

func.func @inclusive(%x: tensor<3x5x2xf32>, %acc: tensor<3x2xf32>) -> (tensor<3x5x2xf32>, tensor<3x2xf32>) {
  %e = tensor.empty() : tensor<3x5x2xf32>
  %r:2 = tm_tensor.scan dimension(1) inclusive(true) ins(%x : tensor<3x5x2xf32>) outs(%e, %acc : tensor<3x5x2xf32>, tensor<3x2xf32>) {
  ^bb0(%a: f32, %b: f32):
    %0 = arith.addf %a, %b : f32
    tm_tensor.yield %0 : f32
  } -> tensor<3x5x2xf32>, tensor<3x2xf32>
  return %r#0, %r#1 : tensor<3x5x2xf32>, tensor<3x2xf32>
}
func.func @inclusive_in() -> (tensor<3x5x2xf32>, tensor<3x2xf32>) {
  %0 = arith.constant dense<[[[3.0, -1.0], [-3.0, 0.0], [-4.0, -3.0], [3.0, 2.0], [3.0, 3.0]], [[3.0, -2.0], [0.0, 1.0], [-2.0, 4.0], [-4.0, 3.0], [1.0, -2.0]], [[2.0, -1.0], [3.0, 4.0], [-2.0, 0.0], [-3.0, 2.0], [1.0, 3.0]]]> : tensor<3x5x2xf32>
  %1 = arith.constant dense<[[0.0, 0.0], [0.0, 0.0], [0.0, 0.0]]> : tensor<3x2xf32>
  return %0, %1 : tensor<3x5x2xf32>, tensor<3x2xf32>
}
func.func @inclusive_out() -> (tensor<3x5x2xf32>, tensor<3x2xf32>) {
  %0 = arith.constant dense<[[[3.0, -1.0], [0.0, -1.0], [-4.0, -4.0], [-1.0, -2.0], [2.0, 1.0]], [[3.0, -2.0], [3.0, -1.0], [1.0, 3.0], [-3.0, 6.0], [-2.0, 4.0]], [[2.0, -1.0], [5.0, 3.0], [3.0, 3.0], [0.0, 5.0], [1.0, 8.0]]]> : tensor<3x5x2xf32>
  %1 = arith.constant dense<[[2.0, 1.0], [-2.0, 4.0], [1.0, 8.0]]> : tensor<3x2xf32>
  return %0, %1 : tensor<3x5x2xf32>, tensor<3x2xf32>
}

func.func @exclusive(%x: tensor<3x5x2xf32>, %acc: tensor<5x2xf32>) -> (tensor<3x5x2xf32>, tensor<5x2xf32>) {
  %e = tensor.empty() : tensor<3x5x2xf32>
  %r:2 = tm_tensor.scan dimension(0) inclusive(false) ins(%x : tensor<3x5x2xf32>) outs(%e, %acc : tensor<3x5x2xf32>, tensor<5x2xf32>) {
  ^bb0(%a: f32, %b: f32):
    %0 = arith.addf %a, %b : f32
    tm_tensor.yield %0 : f32
  } -> tensor<3x5x2xf32>, tensor<5x2xf32>
  return %r#0, %r#1 : tensor<3x5x2xf32>, tensor<5x2xf32>
}
func.func @exclusive_in() -> (tensor<3x5x2xf32>, tensor<5x2xf32>) {
  %0 = arith.constant dense<[[[3.0, 4.0], [4.0, 4.0], [-3.0, -4.0], [0.0, -1.0], [4.0, 3.0]], [[-1.0, 1.0], [1.0, 4.0], [-4.0, 0.0], [2.0, 0.0], [4.0, 4.0]], [[3.0, 0.0], [3.0, -4.0], [1.0, -2.0], [-2.0, 2.0], [2.0, 3.0]]]> : tensor<3x5x2xf32>
  %1 = arith.constant dense<[[-3.0, 3.0], [3.0, -2.0], [-4.0, 2.0], [3.0, 0.0], [-3.0, -3.0]]> : tensor<5x2xf32>
  return %0, %1 : tensor<3x5x2xf32>, tensor<5x2xf32>
}
func.func @exclusive_out() -> (tensor<3x5x2xf32>, tensor<5x2xf32>) {
  %0 = arith.constant dense<[[[-3.0, 3.0], [3.0, -2.0], [-4.0, 2.0], [3.0, 0.0], [-3.0, -3.0]], [[0.0, 7.0], [7.0, 2.0], [-7.0, -2.0], [3.0, -1.0], [1.0, 0.0]], [[-1.0, 8.0], [8.0, 6.0], [-11.0, -2.0], [5.0, -1.0], [5.0, 4.0]]]> : tensor<3x5x2xf32>
  %1 = arith.constant dense<[[-1.0, 8.0], [8.0, 6.0], [-11.0, -2.0], [5.0, -1.0], [5.0, 4.0]]> : tensor<5x2xf32>
  return %0, %1 : tensor<3x5x2xf32>, tensor<5x2xf32>
}

func.func @products(%x: tensor<7xf32>, %acc: tensor<f32>) -> (tensor<7xf32>, tensor<f32>) {
  %e = tensor.empty() : tensor<7xf32>
  %r:2 = tm_tensor.scan dimension(0) inclusive(true) ins(%x : tensor<7xf32>) outs(%e, %acc : tensor<7xf32>, tensor<f32>) {
  ^bb0(%a: f32, %b: f32):
    %0 = arith.mulf %a, %b : f32
    tm_tensor.yield %0 : f32
  } -> tensor<7xf32>, tensor<f32>
  return %r#0, %r#1 : tensor<7xf32>, tensor<f32>
}
func.func @products_in() -> (tensor<7xf32>, tensor<f32>) {
  %0 = arith.constant dense<[1.0, 2.0, 1.0, 1.0, 2.0, 2.0, 1.0]> : tensor<7xf32>
  %1 = arith.constant dense<5.0> : tensor<f32>
  return %0, %1 : tensor<7xf32>, tensor<f32>
}
func.func @products_out() -> (tensor<7xf32>, tensor<f32>) {
  %0 = arith.constant dense<[1.0, 2.0, 2.0, 2.0, 4.0, 8.0, 8.0]> : tensor<7xf32>
  %1 = arith.constant dense<8.0> : tensor<f32>
  return %0, %1 : tensor<7xf32>, tensor<f32>
}

func.func @maxima(%x: tensor<2x13xf32>, %acc: tensor<2xf32>) -> (tensor<2x13xf32>, tensor<2xf32>) {
  %e = tensor.empty() : tensor<2x13xf32>
  %r:2 = tm_tensor.scan dimension(1) inclusive(true) ins(%x : tensor<2x13xf32>) outs(%e, %acc : tensor<2x13xf32>, tensor<2xf32>) {
  ^bb0(%a: f32, %b: f32):
    %0 = arith.maximumf %a, %b : f32
    tm_tensor.yield %0 : f32
  } -> tensor<2x13xf32>, tensor<2xf32>
  return %r#0, %r#1 : tensor<2x13xf32>, tensor<2xf32>
}
func.func @maxima_in() -> (tensor<2x13xf32>, tensor<2xf32>) {
  %0 = arith.constant dense<[[1.0, -1.0, 0.0, -4.0, 1.0, -2.0, 0.0, -1.0, 1.0, -4.0, -1.0, 1.0, 2.0], [-1.0, -4.0, 2.0, 0.0, 1.0, -3.0, -1.0, 3.0, 3.0, -2.0, 1.0, -4.0, 3.0]]> : tensor<2x13xf32>
  %1 = arith.constant dense<[0.0, 0.0]> : tensor<2xf32>
  return %0, %1 : tensor<2x13xf32>, tensor<2xf32>
}
func.func @maxima_out() -> (tensor<2x13xf32>, tensor<2xf32>) {
  %0 = arith.constant dense<[[1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 2.0], [-1.0, -1.0, 2.0, 2.0, 2.0, 2.0, 2.0, 3.0, 3.0, 3.0, 3.0, 3.0, 3.0]]> : tensor<2x13xf32>
  %1 = arith.constant dense<[2.0, 3.0]> : tensor<2xf32>
  return %0, %1 : tensor<2x13xf32>, tensor<2xf32>
}

func.func @integers(%x: tensor<4x1xi32>, %acc: tensor<4xi32>) -> (tensor<4x1xi32>, tensor<4xi32>) {
  %e = tensor.empty() : tensor<4x1xi32>
  %r:2 = tm_tensor.scan dimension(1) inclusive(false) ins(%x : tensor<4x1xi32>) outs(%e, %acc : tensor<4x1xi32>, tensor<4xi32>) {
  ^bb0(%a: i32, %b: i32):
    %0 = arith.addi %a, %b : i32
    tm_tensor.yield %0 : i32
  } -> tensor<4x1xi32>, tensor<4xi32>
  return %r#0, %r#1 : tensor<4x1xi32>, tensor<4xi32>
}
func.func @integers_in() -> (tensor<4x1xi32>, tensor<4xi32>) {
  %0 = arith.constant dense<[[-5], [-3], [8], [0]]> : tensor<4x1xi32>
  %1 = arith.constant dense<[6, -6, 4, 8]> : tensor<4xi32>
  return %0, %1 : tensor<4x1xi32>, tensor<4xi32>
}
func.func @integers_out() -> (tensor<4x1xi32>, tensor<4xi32>) {
  %0 = arith.constant dense<[[6], [-6], [4], [8]]> : tensor<4x1xi32>
  %1 = arith.constant dense<[6, -6, 4, 8]> : tensor<4xi32>
  return %0, %1 : tensor<4x1xi32>, tensor<4xi32>
}

func.func @dynamic(%x: tensor<?x2xf32>, %acc: tensor<2xf32>) -> (tensor<?x2xf32>, tensor<2xf32>) {
  %r:2 = tm_tensor.scan dimension(0) inclusive(true) ins(%x : tensor<?x2xf32>) outs(%x, %acc : tensor<?x2xf32>, tensor<2xf32>) {
  ^bb0(%a: f32, %b: f32):
    %0 = arith.addf %a, %b : f32
    tm_tensor.yield %0 : f32
  } -> tensor<?x2xf32>, tensor<2xf32>
  return %r#0, %r#1 : tensor<?x2xf32>, tensor<2xf32>
}
func.func @dynamic_in() -> (tensor<6x2xf32>, tensor<2xf32>) {
  %0 = arith.constant dense<[[-4.0, -2.0], [-3.0, -2.0], [-2.0, -4.0], [4.0, -2.0], [4.0, 2.0], [-3.0, 2.0]]> : tensor<6x2xf32>
  %1 = arith.constant dense<[0.0, 0.0]> : tensor<2xf32>
  return %0, %1 : tensor<6x2xf32>, tensor<2xf32>
}
func.func @dynamic_out() -> (tensor<6x2xf32>, tensor<2xf32>) {
  %0 = arith.constant dense<[[-4.0, -2.0], [-7.0, -4.0], [-9.0, -8.0], [-5.0, -10.0], [-1.0, -8.0], [-4.0, -6.0]]> : tensor<6x2xf32>
  %1 = arith.constant dense<[-4.0, -6.0]> : tensor<2xf32>
  return %0, %1 : tensor<6x2xf32>, tensor<2xf32>
}

func.func @dynamic_exclusive(%x: tensor<?x2xf32>, %acc: tensor<2xf32>) -> (tensor<?x2xf32>, tensor<2xf32>) {
  %r:2 = tm_tensor.scan dimension(0) inclusive(false) ins(%x : tensor<?x2xf32>) outs(%x, %acc : tensor<?x2xf32>, tensor<2xf32>) {
  ^bb0(%a: f32, %b: f32):
    %0 = arith.addf %a, %b : f32
    tm_tensor.yield %0 : f32
  } -> tensor<?x2xf32>, tensor<2xf32>
  return %r#0, %r#1 : tensor<?x2xf32>, tensor<2xf32>
}
func.func @dynamic_exclusive_in() -> (tensor<6x2xf32>, tensor<2xf32>) {
  %0 = arith.constant dense<[[2.0, -3.0], [-3.0, -1.0], [-4.0, -1.0], [0.0, 1.0], [1.0, 0.0], [-3.0, 1.0]]> : tensor<6x2xf32>
  %1 = arith.constant dense<[0.0, 3.0]> : tensor<2xf32>
  return %0, %1 : tensor<6x2xf32>, tensor<2xf32>
}
func.func @dynamic_exclusive_out() -> (tensor<6x2xf32>, tensor<2xf32>) {
  %0 = arith.constant dense<[[0.0, 3.0], [2.0, 0.0], [-1.0, -1.0], [-5.0, -2.0], [-5.0, -1.0], [-4.0, -1.0]]> : tensor<6x2xf32>
  %1 = arith.constant dense<[-4.0, -1.0]> : tensor<2xf32>
  return %0, %1 : tensor<6x2xf32>, tensor<2xf32>
}
