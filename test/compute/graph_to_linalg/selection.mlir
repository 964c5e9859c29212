// A few elements are found one after the other, more of them by a sort. Both are the first elements of a sort.
// RUN: lw-opt %s --convert-graph-to-linalg | FileCheck %s
// RUN: lw-run %s --entry sort_16 --input random:1 --output %t.v.npy --output %t.i.npy --target x86
// RUN: lw-run %s --entry topk_16 --input random:1 --check %t.v.npy --check %t.i.npy --rtol 0 --atol 0 --target x86
// RUN: lw-run %s --entry topk_16 --input random:1 --check %t.v.npy --check %t.i.npy --rtol 0 --atol 0
// RUN: lw-run %s --entry sort_17 --input random:1 --output %t.v.npy --output %t.i.npy --target x86
// RUN: lw-run %s --entry topk_17 --input random:1 --check %t.v.npy --check %t.i.npy --rtol 0 --atol 0 --target x86

// Keys, the largest one, and its place; then the largest one of those that follow it.
// CHECK-LABEL: func.func @topk_2(
// CHECK:         arith.bitcast %{{.*}} : f32 to i32
// CHECK:         iterator_types = ["parallel", "reduction"]
// CHECK:           arith.maxsi
// CHECK:         iterator_types = ["parallel", "reduction"]
// CHECK:           arith.minsi
// CHECK:         iterator_types = ["parallel", "reduction"]
// CHECK:           arith.cmpi slt
// CHECK:           arith.maxsi
// CHECK:         iterator_types = ["parallel", "reduction"]
// CHECK:           arith.minsi
// CHECK:         tensor.extract
// CHECK-NOT:     "reduction"
func.func @topk_2(%x: tensor<3x40xf32>) -> (tensor<3x2xf32>, tensor<3x2xi64>) {
  %v, %i = graph.topk %x k = 2 dim = 1 : tensor<3x40xf32> -> tensor<3x2xf32>, tensor<3x2xi64>
  return %v, %i : tensor<3x2xf32>, tensor<3x2xi64>
}

// CHECK-LABEL: func.func @topk_16(
// CHECK-COUNT-32: iterator_types = ["parallel", "reduction"]
// CHECK-NOT:     "reduction"
func.func @topk_16(%x: tensor<3x40xf32>) -> (tensor<3x16xf32>, tensor<3x16xi64>) {
  %v, %i = graph.topk %x k = 16 dim = 1 : tensor<3x40xf32> -> tensor<3x16xf32>, tensor<3x16xi64>
  return %v, %i : tensor<3x16xf32>, tensor<3x16xi64>
}

// CHECK-LABEL: func.func @topk_17(
// CHECK-NOT:     arith.maxsi %out
// CHECK-LABEL: func.func @sort_16(
func.func @topk_17(%x: tensor<3x40xf32>) -> (tensor<3x17xf32>, tensor<3x17xi64>) {
  %v, %i = graph.topk %x k = 17 dim = 1 : tensor<3x40xf32> -> tensor<3x17xf32>, tensor<3x17xi64>
  return %v, %i : tensor<3x17xf32>, tensor<3x17xi64>
}

func.func @sort_16(%x: tensor<3x40xf32>) -> (tensor<3x16xf32>, tensor<3x16xi64>) {
  %v, %i = graph.sort %x dim = 1 descending : tensor<3x40xf32> -> tensor<3x40xf32>, tensor<3x40xi64>
  %w = graph.slice %v dims = [1] starts = [0] ends = [16] steps = [1] : tensor<3x40xf32> -> tensor<3x16xf32>
  %j = graph.slice %i dims = [1] starts = [0] ends = [16] steps = [1] : tensor<3x40xi64> -> tensor<3x16xi64>
  return %w, %j : tensor<3x16xf32>, tensor<3x16xi64>
}

func.func @sort_17(%x: tensor<3x40xf32>) -> (tensor<3x17xf32>, tensor<3x17xi64>) {
  %v, %i = graph.sort %x dim = 1 descending : tensor<3x40xf32> -> tensor<3x40xf32>, tensor<3x40xi64>
  %w = graph.slice %v dims = [1] starts = [0] ends = [17] steps = [1] : tensor<3x40xf32> -> tensor<3x17xf32>
  %j = graph.slice %i dims = [1] starts = [0] ends = [17] steps = [1] : tensor<3x40xi64> -> tensor<3x17xi64>
  return %w, %j : tensor<3x17xf32>, tensor<3x17xi64>
}
