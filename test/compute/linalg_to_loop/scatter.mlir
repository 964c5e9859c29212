// tm_tensor.scatter: updates in order, also where they overlap. The expected values are those of a NumPy loop.
// RUN: lw-run %s --entry sums_in --output %t.sums.i0.npy --output %t.sums.i1.npy --output %t.sums.i2.npy
// RUN: lw-run %s --entry sums_out --output %t.sums.o0.npy
// RUN: lw-run %s --entry sums --input %t.sums.i0.npy --input %t.sums.i1.npy --input %t.sums.i2.npy --check %t.sums.o0.npy --rtol 0 --atol 0 --execute input | FileCheck %s
// RUN: lw-run %s --entry sums --input %t.sums.i0.npy --input %t.sums.i1.npy --input %t.sums.i2.npy --check %t.sums.o0.npy --rtol 0 --atol 0 --execute loop | FileCheck %s
// RUN: lw-run %s --entry sums --input %t.sums.i0.npy --input %t.sums.i1.npy --input %t.sums.i2.npy --check %t.sums.o0.npy --rtol 0 --atol 0 --target x86 | FileCheck %s
// RUN: lw-run %s --entry sums --input %t.sums.i0.npy --input %t.sums.i1.npy --input %t.sums.i2.npy --check %t.sums.o0.npy --rtol 0 --atol 0 --target sm_80 --device emulator | FileCheck %s
// RUN: lw-run %s --entry rows_in --output %t.rows.i0.npy --output %t.rows.i1.npy --output %t.rows.i2.npy
// RUN: lw-run %s --entry rows_out --output %t.rows.o0.npy
// RUN: lw-run %s --entry rows --input %t.rows.i0.npy --input %t.rows.i1.npy --input %t.rows.i2.npy --check %t.rows.o0.npy --rtol 0 --atol 0 --execute input | FileCheck %s
// RUN: lw-run %s --entry rows --input %t.rows.i0.npy --input %t.rows.i1.npy --input %t.rows.i2.npy --check %t.rows.o0.npy --rtol 0 --atol 0 --execute loop | FileCheck %s
// RUN: lw-run %s --entry rows --input %t.rows.i0.npy --input %t.rows.i1.npy --input %t.rows.i2.npy --check %t.rows.o0.npy --rtol 0 --atol 0 --target x86 | FileCheck %s
// RUN: lw-run %s --entry rows --input %t.rows.i0.npy --input %t.rows.i1.npy --input %t.rows.i2.npy --check %t.rows.o0.npy --rtol 0 --atol 0 --target sm_80 --device emulator | FileCheck %s
// RUN: lw-run %s --entry maxima_in --output %t.maxima.i0.npy --output %t.maxima.i1.npy --output %t.maxima.i2.npy
// RUN: lw-run %s --entry maxima_out --output %t.maxima.o0.npy
// RUN: lw-run %s --entry maxima --input %t.maxima.i0.npy --input %t.maxima.i1.npy --input %t.maxima.i2.npy --check %t.maxima.o0.npy --rtol 0 --atol 0 --execute input | FileCheck %s
// RUN: lw-run %s --entry maxima --input %t.maxima.i0.npy --input %t.maxima.i1.npy --input %t.maxima.i2.npy --check %t.maxima.o0.npy --rtol 0 --atol 0 --execute loop | FileCheck %s
// RUN: lw-run %s --entry maxima --input %t.maxima.i0.npy --input %t.maxima.i1.npy --input %t.maxima.i2.npy --check %t.maxima.o0.npy --rtol 0 --atol 0 --target x86 | FileCheck %s
// RUN: lw-run %s --entry maxima --input %t.maxima.i0.npy --input %t.maxima.i1.npy --input %t.maxima.i2.npy --check %t.maxima.o0.npy --rtol 0 --atol 0 --target sm_80 --device emulator | FileCheck %s
// RUN: lw-run %s --entry windows_in --output %t.windows.i0.npy --output %t.windows.i1.npy --output %t.windows.i2.npy
// RUN: lw-run %s --entry windows_out --output %t.windows.o0.npy
// RUN: lw-run %s --entry windows --input %t.windows.i0.npy --input %t.windows.i1.npy --input %t.windows.i2.npy --check %t.windows.o0.npy --rtol 0 --atol 0 --execute input | FileCheck %s
// RUN: lw-run %s --entry windows --input %t.windows.i0.npy --input %t.windows.i1.npy --input %t.windows.i2.npy --check %t.windows.o0.npy --rtol 0 --atol 0 --execute loop | FileCheck %s
// RUN: lw-run %s --entry windows --input %t.windows.i0.npy --input %t.windows.i1.npy --input %t.windows.i2.npy --check %t.windows.o0.npy --rtol 0 --atol 0 --target x86 | FileCheck %s
// RUN: lw-run %s --entry windows --input %t.windows.i0.npy --input %t.windows.i1.npy --input %t.windows.i2.npy --check %t.windows.o0.npy --rtol 0 --atol 0 --target sm_80 --device emulator | FileCheck %s
// RUN: lw-run %s --entry swapped_in --output %t.swapped.i0.npy --output %t.swapped.i1.npy --output %t.swapped.i2.npy
// RUN: lw-run %s --entry swapped_out --output %t.swapped.o0.npy
// RUN: lw-run %s --entry swapped --input %t.swapped.i0.npy --input %t.swapped.i1.npy --input %t.swapped.i2.npy --check %t.swapped.o0.npy --rtol 0 --atol 0 --execute input | FileCheck %s
// RUN: lw-run %s --entry swapped --input %t.swapped.i0.npy --input %t.swapped.i1.npy --input %t.swapped.i2.npy --check %t.swapped.o0.npy --rtol 0 --atol 0 --execute loop | FileCheck %s
// RUN: lw-run %s --entry swapped --input %t.swapped.i0.npy --input %t.swapped.i1.npy --input %t.swapped.i2.npy --check %t.swapped.o0.npy --rtol 0 --atol 0 --target x86 | FileCheck %s
// RUN: lw-run %s --entry swapped --input %t.swapped.i0.npy --input %t.swapped.i1.npy --input %t.swapped.i2.npy --check %t.swapped.o0.npy --rtol 0 --atol 0 --target sm_80 --device emulator | FileCheck %s
// CHECK: max error 0{{.*}}passed

func.func @sums(%u: tensor<7xf32>, %i: tensor<7x1xi32>, %d: tensor<4xf32>) -> tensor<4xf32> {
  %r = tm_tensor.scatter {dimension_map = array<i64: 0>} unique_indices(false) ins(%u, %i : tensor<7xf32>, tensor<7x1xi32>) outs(%d : tensor<4xf32>) {
  ^bb0(%a: f32, %b: f32):
    %0 = arith.addf %b, %a : f32
    tm_tensor.yield %0 : f32
  } -> tensor<4xf32>
  return %r : tensor<4xf32>
}
func.func @sums_in() -> (tensor<7xf32>, tensor<7x1xi32>, tensor<4xf32>) {
  %0 = arith.constant dense<[-1.0, -3.0, -2.0, -4.0, -2.0, -4.0, 1.0]> : tensor<7xf32>
  %1 = arith.constant dense<[[0], [0], [0], [0], [3], [2], [2]]> : tensor<7x1xi32>
  %2 = arith.constant dense<[-1.0, -3.0, 0.0, 0.0]> : tensor<4xf32>
  return %0, %1, %2 : tensor<7xf32>, tensor<7x1xi32>, tensor<4xf32>
}
func.func @sums_out() -> (tensor<4xf32>) {
  %0 = arith.constant dense<[-11.0, -3.0, -3.0, -2.0]> : tensor<4xf32>
  return %0 : tensor<4xf32>
}

func.func @rows(%u: tensor<3x4xf32>, %i: tensor<3x1xi32>, %d: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %r = tm_tensor.scatter {dimension_map = array<i64: 0>} unique_indices(false) ins(%u, %i : tensor<3x4xf32>, tensor<3x1xi32>) outs(%d : tensor<3x4xf32>) {
  ^bb0(%a: f32, %b: f32):
    tm_tensor.yield %a : f32
  } -> tensor<3x4xf32>
  return %r : tensor<3x4xf32>
}
func.func @rows_in() -> (tensor<3x4xf32>, tensor<3x1xi32>, tensor<3x4xf32>) {
  %0 = arith.constant dense<[[0.0, 0.0, 0.0, 0.0], [-4.0, -3.0, -4.0, -1.0], [1.0, 3.0, -1.0, -1.0]]> : tensor<3x4xf32>
  %1 = arith.constant dense<[[1], [1], [0]]> : tensor<3x1xi32>
  %2 = arith.constant dense<[[4.0, 0.0, -1.0, 4.0], [1.0, -2.0, 3.0, 2.0], [-3.0, 0.0, 0.0, 3.0]]> : tensor<3x4xf32>
  return %0, %1, %2 : tensor<3x4xf32>, tensor<3x1xi32>, tensor<3x4xf32>
}
func.func @rows_out() -> (tensor<3x4xf32>) {
  %0 = arith.constant dense<[[1.0, 3.0, -1.0, -1.0], [-4.0, -3.0, -4.0, -1.0], [-3.0, 0.0, 0.0, 3.0]]> : tensor<3x4xf32>
  return %0 : tensor<3x4xf32>
}

func.func @maxima(%u: tensor<5xf32>, %i: tensor<5x2xi64>, %d: tensor<3x2xf32>) -> tensor<3x2xf32> {
  %r = tm_tensor.scatter {dimension_map = array<i64: 0, 1>} unique_indices(false) ins(%u, %i : tensor<5xf32>, tensor<5x2xi64>) outs(%d : tensor<3x2xf32>) {
  ^bb0(%a: f32, %b: f32):
    %0 = arith.maximumf %b, %a : f32
    tm_tensor.yield %0 : f32
  } -> tensor<3x2xf32>
  return %r : tensor<3x2xf32>
}
func.func @maxima_in() -> (tensor<5xf32>, tensor<5x2xi64>, tensor<3x2xf32>) {
  %0 = arith.constant dense<[-1.0, -1.0, 1.0, 0.0, 1.0]> : tensor<5xf32>
  %1 = arith.constant dense<[[1, 0], [0, 1], [2, 0], [2, 1], [2, 1]]> : tensor<5x2xi64>
  %2 = arith.constant dense<[[2.0, 1.0], [3.0, -3.0], [4.0, -1.0]]> : tensor<3x2xf32>
  return %0, %1, %2 : tensor<5xf32>, tensor<5x2xi64>, tensor<3x2xf32>
}
func.func @maxima_out() -> (tensor<3x2xf32>) {
  %0 = arith.constant dense<[[2.0, 1.0], [3.0, -3.0], [4.0, 1.0]]> : tensor<3x2xf32>
  return %0 : tensor<3x2xf32>
}

func.func @windows(%u: tensor<3x2x2xf32>, %i: tensor<3x2xi32>, %d: tensor<3x3xf32>) -> tensor<3x3xf32> {
  %r = tm_tensor.scatter {dimension_map = array<i64: 0, 1>} unique_indices(false) ins(%u, %i : tensor<3x2x2xf32>, tensor<3x2xi32>) outs(%d : tensor<3x3xf32>) {
  ^bb0(%a: f32, %b: f32):
    tm_tensor.yield %a : f32
  } -> tensor<3x3xf32>
  return %r : tensor<3x3xf32>
}
func.func @windows_in() -> (tensor<3x2x2xf32>, tensor<3x2xi32>, tensor<3x3xf32>) {
  %0 = arith.constant dense<[[[-2.0, -1.0], [4.0, -3.0]], [[-1.0, 3.0], [0.0, -3.0]], [[-3.0, 4.0], [3.0, 2.0]]]> : tensor<3x2x2xf32>
  %1 = arith.constant dense<[[0, 1], [1, 0], [1, 1]]> : tensor<3x2xi32>
  %2 = arith.constant dense<[[-1.0, -4.0, 2.0], [3.0, -3.0, -4.0], [-1.0, -2.0, -1.0]]> : tensor<3x3xf32>
  return %0, %1, %2 : tensor<3x2x2xf32>, tensor<3x2xi32>, tensor<3x3xf32>
}
func.func @windows_out() -> (tensor<3x3xf32>) {
  %0 = arith.constant dense<[[-1.0, -2.0, -1.0], [-1.0, -3.0, 4.0], [0.0, 3.0, 2.0]]> : tensor<3x3xf32>
  return %0 : tensor<3x3xf32>
}

func.func @swapped(%u: tensor<2xf32>, %i: tensor<2x2xi32>, %d: tensor<3x2xf32>) -> tensor<3x2xf32> {
  %r = tm_tensor.scatter {dimension_map = array<i64: 1, 0>} unique_indices(true) ins(%u, %i : tensor<2xf32>, tensor<2x2xi32>) outs(%d : tensor<3x2xf32>) {
  ^bb0(%a: f32, %b: f32):
    %0 = arith.addf %b, %a : f32
    tm_tensor.yield %0 : f32
  } -> tensor<3x2xf32>
  return %r : tensor<3x2xf32>
}
func.func @swapped_in() -> (tensor<2xf32>, tensor<2x2xi32>, tensor<3x2xf32>) {
  %0 = arith.constant dense<[-1.0, -2.0]> : tensor<2xf32>
  %1 = arith.constant dense<[[1, 2], [0, 0]]> : tensor<2x2xi32>
  %2 = arith.constant dense<[[4.0, -4.0], [2.0, 2.0], [-1.0, 4.0]]> : tensor<3x2xf32>
  return %0, %1, %2 : tensor<2xf32>, tensor<2x2xi32>, tensor<3x2xf32>
}
func.func @swapped_out() -> (tensor<3x2xf32>) {
  %0 = arith.constant dense<[[2.0, -4.0], [2.0, 2.0], [-1.0, 3.0]]> : tensor<3x2xf32>
  return %0 : tensor<3x2xf32>
}

// The new tensor is a copy of the old one; the loop over updates is in order, that over a row is not.
// RUN: lw-run %s --entry rows --compile-to loop | FileCheck %s --check-prefix=NEST
// NEST-LABEL: func.func @rows(
// NEST: loop.block "copy"
// NEST: loop.block "scatter" [%vi: opaque 3, %vj: spatial 4] = (%i, %j)
// NEST: writes(%{{.*}}[*, %vj : 1])
