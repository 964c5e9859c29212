// tensor.gather and tensor.scatter, with gathered dimensions of size 1 and without them. The expected values are NumPy's.
// RUN: lw-run %s --entry rows_in --output %t.rows.i0.npy --output %t.rows.i1.npy
// RUN: lw-run %s --entry rows_out --output %t.rows.o0.npy
// RUN: lw-run %s --entry rows --input %t.rows.i0.npy --input %t.rows.i1.npy --check %t.rows.o0.npy --rtol 0 --atol 0 --execute input | FileCheck %s
// RUN: lw-run %s --entry rows --input %t.rows.i0.npy --input %t.rows.i1.npy --check %t.rows.o0.npy --rtol 0 --atol 0 --execute loop | FileCheck %s
// RUN: lw-run %s --entry rows --input %t.rows.i0.npy --input %t.rows.i1.npy --check %t.rows.o0.npy --rtol 0 --atol 0 --target x86 | FileCheck %s
// RUN: lw-run %s --entry rows --input %t.rows.i0.npy --input %t.rows.i1.npy --check %t.rows.o0.npy --rtol 0 --atol 0 --target sm_80 --device emulator | FileCheck %s
// RUN: lw-run %s --entry unit_dims_in --output %t.unit_dims.i0.npy --output %t.unit_dims.i1.npy
// RUN: lw-run %s --entry unit_dims_out --output %t.unit_dims.o0.npy
// RUN: lw-run %s --entry unit_dims --input %t.unit_dims.i0.npy --input %t.unit_dims.i1.npy --check %t.unit_dims.o0.npy --rtol 0 --atol 0 --execute input | FileCheck %s
// RUN: lw-run %s --entry unit_dims --input %t.unit_dims.i0.npy --input %t.unit_dims.i1.npy --check %t.unit_dims.o0.npy --rtol 0 --atol 0 --execute loop | FileCheck %s
// RUN: lw-run %s --entry unit_dims --input %t.unit_dims.i0.npy --input %t.unit_dims.i1.npy --check %t.unit_dims.o0.npy --rtol 0 --atol 0 --target x86 | FileCheck %s
// RUN: lw-run %s --entry unit_dims --input %t.unit_dims.i0.npy --input %t.unit_dims.i1.npy --check %t.unit_dims.o0.npy --rtol 0 --atol 0 --target sm_80 --device emulator | FileCheck %s
// RUN: lw-run %s --entry scattered_in --output %t.scattered.i0.npy --output %t.scattered.i1.npy --output %t.scattered.i2.npy
// RUN: lw-run %s --entry scattered_out --output %t.scattered.o0.npy
// RUN: lw-run %s --entry scattered --input %t.scattered.i0.npy --input %t.scattered.i1.npy --input %t.scattered.i2.npy --check %t.scattered.o0.npy --rtol 0 --atol 0 --execute input | FileCheck %s
// RUN: lw-run %s --entry scattered --input %t.scattered.i0.npy --input %t.scattered.i1.npy --input %t.scattered.i2.npy --check %t.scattered.o0.npy --rtol 0 --atol 0 --execute loop | FileCheck %s
// RUN: lw-run %s --entry scattered --input %t.scattered.i0.npy --input %t.scattered.i1.npy --input %t.scattered.i2.npy --check %t.scattered.o0.npy --rtol 0 --atol 0 --target x86 | FileCheck %s
// RUN: lw-run %s --entry scattered --input %t.scattered.i0.npy --input %t.scattered.i1.npy --input %t.scattered.i2.npy --check %t.scattered.o0.npy --rtol 0 --atol 0 --target sm_80 --device emulator | FileCheck %s
// RUN: lw-run %s --entry columns_in --output %t.columns.i0.npy --output %t.columns.i1.npy --output %t.columns.i2.npy
// RUN: lw-run %s --entry columns_out --output %t.columns.o0.npy
// RUN: lw-run %s --entry columns --input %t.columns.i0.npy --input %t.columns.i1.npy --input %t.columns.i2.npy --check %t.columns.o0.npy --rtol 0 --atol 0 --execute input | FileCheck %s
// RUN: lw-run %s --entry columns --input %t.columns.i0.npy --input %t.columns.i1.npy --input %t.columns.i2.npy --check %t.columns.o0.npy --rtol 0 --atol 0 --execute loop | FileCheck %s
// RUN: lw-run %s --entry columns --input %t.columns.i0.npy --input %t.columns.i1.npy --input %t.columns.i2.npy --check %t.columns.o0.npy --rtol 0 --atol 0 --target x86 | FileCheck %s
// RUN: lw-run %s --entry columns --input %t.columns.i0.npy --input %t.columns.i1.npy --input %t.columns.i2.npy --check %t.columns.o0.npy --rtol 0 --atol 0 --target sm_80 --device emulator | FileCheck %s
// CHECK: max error 0{{.*}}passed

func.func @rows(%x: tensor<5x3x4xf32>, %i: tensor<2x3x1xi32>) -> tensor<2x3x3x4xf32> {
  %r = tensor.gather %x[%i] gather_dims([0]) : (tensor<5x3x4xf32>, tensor<2x3x1xi32>) -> tensor<2x3x3x4xf32>
  return %r : tensor<2x3x3x4xf32>
}
func.func @rows_in() -> (tensor<5x3x4xf32>, tensor<2x3x1xi32>) {
  %0 = arith.constant dense<[[[-1.0, -2.0, 0.0, 1.0], [-1.0, 3.0, 2.0, 3.0], [1.0, 4.0, -1.0, 4.0]], [[2.0, -4.0, -2.0, -1.0], [2.0, 0.0, -1.0, 4.0], [4.0, -1.0, -2.0, -2.0]], [[-2.0, -4.0, 1.0, -2.0], [1.0, 3.0, -2.0, -4.0], [1.0, -3.0, 1.0, -2.0]], [[3.0, 0.0, 2.0, -1.0], [-1.0, 3.0, 1.0, -3.0], [-4.0, 1.0, 3.0, 3.0]], [[-4.0, 4.0, 2.0, 3.0], [4.0, -3.0, -4.0, 3.0], [4.0, 2.0, 3.0, -1.0]]]> : tensor<5x3x4xf32>
  %1 = arith.constant dense<[[[4], [0], [0]], [[0], [1], [3]]]> : tensor<2x3x1xi32>
  return %0, %1 : tensor<5x3x4xf32>, tensor<2x3x1xi32>
}
func.func @rows_out() -> (tensor<2x3x3x4xf32>) {
  %0 = arith.constant dense<[[[[-4.0, 4.0, 2.0, 3.0], [4.0, -3.0, -4.0, 3.0], [4.0, 2.0, 3.0, -1.0]], [[-1.0, -2.0, 0.0, 1.0], [-1.0, 3.0, 2.0, 3.0], [1.0, 4.0, -1.0, 4.0]], [[-1.0, -2.0, 0.0, 1.0], [-1.0, 3.0, 2.0, 3.0], [1.0, 4.0, -1.0, 4.0]]], [[[-1.0, -2.0, 0.0, 1.0], [-1.0, 3.0, 2.0, 3.0], [1.0, 4.0, -1.0, 4.0]], [[2.0, -4.0, -2.0, -1.0], [2.0, 0.0, -1.0, 4.0], [4.0, -1.0, -2.0, -2.0]], [[3.0, 0.0, 2.0, -1.0], [-1.0, 3.0, 1.0, -3.0], [-4.0, 1.0, 3.0, 3.0]]]]> : tensor<2x3x3x4xf32>
  return %0 : tensor<2x3x3x4xf32>
}

func.func @unit_dims(%x: tensor<5x3x4xf32>, %i: tensor<3x2xi64>) -> tensor<3x1x3x1xf32> {
  %r = tensor.gather %x[%i] gather_dims([0, 2]) : (tensor<5x3x4xf32>, tensor<3x2xi64>) -> tensor<3x1x3x1xf32>
  return %r : tensor<3x1x3x1xf32>
}
func.func @unit_dims_in() -> (tensor<5x3x4xf32>, tensor<3x2xi64>) {
  %0 = arith.constant dense<[[[-1.0, -2.0, 0.0, 1.0], [-1.0, 3.0, 2.0, 3.0], [1.0, 4.0, -1.0, 4.0]], [[2.0, -4.0, -2.0, -1.0], [2.0, 0.0, -1.0, 4.0], [4.0, -1.0, -2.0, -2.0]], [[-2.0, -4.0, 1.0, -2.0], [1.0, 3.0, -2.0, -4.0], [1.0, -3.0, 1.0, -2.0]], [[3.0, 0.0, 2.0, -1.0], [-1.0, 3.0, 1.0, -3.0], [-4.0, 1.0, 3.0, 3.0]], [[-4.0, 4.0, 2.0, 3.0], [4.0, -3.0, -4.0, 3.0], [4.0, 2.0, 3.0, -1.0]]]> : tensor<5x3x4xf32>
  %1 = arith.constant dense<[[1, 1], [0, 3], [4, 1]]> : tensor<3x2xi64>
  return %0, %1 : tensor<5x3x4xf32>, tensor<3x2xi64>
}
func.func @unit_dims_out() -> (tensor<3x1x3x1xf32>) {
  %0 = arith.constant dense<[[[[-4.0], [0.0], [-1.0]]], [[[1.0], [3.0], [4.0]]], [[[4.0], [-3.0], [2.0]]]]> : tensor<3x1x3x1xf32>
  return %0 : tensor<3x1x3x1xf32>
}

func.func @scattered(%x: tensor<2x2x3xf32>, %d: tensor<5x3xf32>, %i: tensor<2x2x1xi32>) -> tensor<5x3xf32> {
  %r = tensor.scatter %x into %d[%i] scatter_dims([0]) unique : (tensor<2x2x3xf32>, tensor<5x3xf32>, tensor<2x2x1xi32>) -> tensor<5x3xf32>
  return %r : tensor<5x3xf32>
}
func.func @scattered_in() -> (tensor<2x2x3xf32>, tensor<5x3xf32>, tensor<2x2x1xi32>) {
  %0 = arith.constant dense<[[[2.0, 2.0, 1.0], [-1.0, 1.0, -4.0]], [[-1.0, -1.0, 3.0], [-2.0, -3.0, 2.0]]]> : tensor<2x2x3xf32>
  %1 = arith.constant dense<[[0.0, -2.0, 3.0], [2.0, -2.0, 0.0], [4.0, 3.0, 3.0], [2.0, 1.0, -1.0], [-3.0, 0.0, -1.0]]> : tensor<5x3xf32>
  %2 = arith.constant dense<[[[0], [3]], [[2], [1]]]> : tensor<2x2x1xi32>
  return %0, %1, %2 : tensor<2x2x3xf32>, tensor<5x3xf32>, tensor<2x2x1xi32>
}
func.func @scattered_out() -> (tensor<5x3xf32>) {
  %0 = arith.constant dense<[[2.0, 2.0, 1.0], [-2.0, -3.0, 2.0], [-1.0, -1.0, 3.0], [-1.0, 1.0, -4.0], [-3.0, 0.0, -1.0]]> : tensor<5x3xf32>
  return %0 : tensor<5x3xf32>
}

func.func @columns(%x: tensor<2x5xf32>, %d: tensor<5x3xf32>, %i: tensor<2x1xi64>) -> tensor<5x3xf32> {
  %r = tensor.scatter %x into %d[%i] scatter_dims([1]) unique : (tensor<2x5xf32>, tensor<5x3xf32>, tensor<2x1xi64>) -> tensor<5x3xf32>
  return %r : tensor<5x3xf32>
}
func.func @columns_in() -> (tensor<2x5xf32>, tensor<5x3xf32>, tensor<2x1xi64>) {
  %0 = arith.constant dense<[[0.0, -3.0, 3.0, -3.0, -3.0], [-1.0, -1.0, -3.0, 0.0, -2.0]]> : tensor<2x5xf32>
  %1 = arith.constant dense<[[-1.0, -3.0, 1.0], [1.0, 0.0, -2.0], [-1.0, 3.0, 2.0], [-4.0, -2.0, 1.0], [1.0, -4.0, 2.0]]> : tensor<5x3xf32>
  %2 = arith.constant dense<[[2], [0]]> : tensor<2x1xi64>
  return %0, %1, %2 : tensor<2x5xf32>, tensor<5x3xf32>, tensor<2x1xi64>
}
func.func @columns_out() -> (tensor<5x3xf32>) {
  %0 = arith.constant dense<[[-1.0, -3.0, 0.0], [-1.0, 0.0, -3.0], [-3.0, 3.0, 3.0], [0.0, -2.0, -3.0], [-2.0, -4.0, -3.0]]> : tensor<5x3xf32>
  return %0 : tensor<5x3xf32>
}
