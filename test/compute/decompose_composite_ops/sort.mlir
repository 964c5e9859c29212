// tm_tensor.sort and topk: equal elements keep their order. The expected values are those of NumPy's stable argsort.
// RUN: lw-run %s --entry middle_in --output %t.middle.i0.npy --output %t.middle.i1.npy
// RUN: lw-run %s --entry middle_out --output %t.middle.o0.npy --output %t.middle.o1.npy
// RUN: lw-run %s --entry middle --input %t.middle.i0.npy --input %t.middle.i1.npy --check %t.middle.o0.npy --check %t.middle.o1.npy --rtol 0 --atol 0 --execute input | FileCheck %s
// RUN: lw-run %s --entry middle --input %t.middle.i0.npy --input %t.middle.i1.npy --check %t.middle.o0.npy --check %t.middle.o1.npy --rtol 0 --atol 0 --execute loop | FileCheck %s
// RUN: lw-run %s --entry middle --input %t.middle.i0.npy --input %t.middle.i1.npy --check %t.middle.o0.npy --check %t.middle.o1.npy --rtol 0 --atol 0 --target x86 | FileCheck %s
// RUN: lw-run %s --entry middle --input %t.middle.i0.npy --input %t.middle.i1.npy --check %t.middle.o0.npy --check %t.middle.o1.npy --rtol 0 --atol 0 --target sm_80 --device emulator | FileCheck %s
// RUN: lw-run %s --entry one_in --output %t.one.i0.npy --output %t.one.i1.npy
// RUN: lw-run %s --entry one_out --output %t.one.o0.npy --output %t.one.o1.npy
// RUN: lw-run %s --entry one --input %t.one.i0.npy --input %t.one.i1.npy --check %t.one.o0.npy --check %t.one.o1.npy --rtol 0 --atol 0 --execute input | FileCheck %s
// RUN: lw-run %s --entry one --input %t.one.i0.npy --input %t.one.i1.npy --check %t.one.o0.npy --check %t.one.o1.npy --rtol 0 --atol 0 --target x86 | FileCheck %s
// RUN: lw-run %s --entry many_in --output %t.many.i0.npy --output %t.many.i1.npy
// RUN: lw-run %s --entry many_out --output %t.many.o0.npy --output %t.many.o1.npy
// RUN: lw-run %s --entry many --input %t.many.i0.npy --input %t.many.i1.npy --check %t.many.o0.npy --check %t.many.o1.npy --rtol 0 --atol 0 --execute input | FileCheck %s
// RUN: lw-run %s --entry many --input %t.many.i0.npy --input %t.many.i1.npy --check %t.many.o0.npy --check %t.many.o1.npy --rtol 0 --atol 0 --target x86 | FileCheck %s
// RUN: lw-run %s --entry dynamic_in --output %t.dynamic.i0.npy --output %t.dynamic.i1.npy
// RUN: lw-run %s --entry dynamic_out --output %t.dynamic.o0.npy --output %t.dynamic.o1.npy
// RUN: lw-run %s --entry dynamic --input %t.dynamic.i0.npy --input %t.dynamic.i1.npy --check %t.dynamic.o0.npy --check %t.dynamic.o1.npy --rtol 0 --atol 0 --execute input | FileCheck %s
// RUN: lw-run %s --entry dynamic --input %t.dynamic.i0.npy --input %t.dynamic.i1.npy --check %t.dynamic.o0.npy --check %t.dynamic.o1.npy --rtol 0 --atol 0 --target x86 | FileCheck %s
// RUN: lw-run %s --entry descending_in --output %t.descending.i0.npy
// RUN: lw-run %s --entry descending_out --output %t.descending.o0.npy
// RUN: lw-run %s --entry descending --input %t.descending.i0.npy --check %t.descending.o0.npy --rtol 0 --atol 0 --execute input | FileCheck %s
// RUN: lw-run %s --entry descending --input %t.descending.i0.npy --check %t.descending.o0.npy --rtol 0 --atol 0 --target x86 | FileCheck %s
// RUN: lw-run %s --entry largest_in --output %t.largest.i0.npy
// RUN: lw-run %s --entry largest_out --output %t.largest.o0.npy --output %t.largest.o1.npy
// RUN: lw-run %s --entry largest --input %t.largest.i0.npy --check %t.largest.o0.npy --check %t.largest.o1.npy --rtol 0 --atol 0 --execute input | FileCheck %s
// RUN: lw-run %s --entry largest --input %t.largest.i0.npy --check %t.largest.o0.npy --check %t.largest.o1.npy --rtol 0 --atol 0 --execute loop | FileCheck %s
// RUN: lw-run %s --entry largest --input %t.largest.i0.npy --check %t.largest.o0.npy --check %t.largest.o1.npy --rtol 0 --atol 0 --target x86 | FileCheck %s
// RUN: lw-run %s --entry largest --input %t.largest.i0.npy --check %t.largest.o0.npy --check %t.largest.o1.npy --rtol 0 --atol 0 --target sm_80 --device emulator | FileCheck %s
// RUN: lw-run %s --entry smallest_in --output %t.smallest.i0.npy --output %t.smallest.i1.npy
// RUN: lw-run %s --entry smallest_out --output %t.smallest.o0.npy --output %t.smallest.o1.npy
// RUN: lw-run %s --entry smallest --input %t.smallest.i0.npy --input %t.smallest.i1.npy --check %t.smallest.o0.npy --check %t.smallest.o1.npy --rtol 0 --atol 0 --execute input | FileCheck %s
// RUN: lw-run %s --entry smallest --input %t.smallest.i0.npy --input %t.smallest.i1.npy --check %t.smallest.o0.npy --check %t.smallest.o1.npy --rtol 0 --atol 0 --execute loop | FileCheck %s
// RUN: lw-run %s --entry smallest --input %t.smallest.i0.npy --input %t.smallest.i1.npy --check %t.smallest.o0.npy --check %t.smallest.o1.npy --rtol 0 --atol 0 --target x86 | FileCheck %s
// RUN: lw-run %s --entry smallest --input %t.smallest.i0.npy --input %t.smallest.i1.npy --check %t.smallest.o0.npy --check %t.smallest.o1.npy --rtol 0 --atol 0 --target sm_80 --device emulator | FileCheck %s
// CHECK: max error 0{{.*}}passed

func.func @middle(%x: tensor<2x7x3xf32>, %i: tensor<2x7x3xi64>) -> (tensor<2x7x3xf32>, tensor<2x7x3xi64>) {
  %r:2 = tm_tensor.sort dimension(1) outs(%x, %i : tensor<2x7x3xf32>, tensor<2x7x3xi64>) {
  ^bb0(%a: f32, %b: f32, %i0: i64, %i1: i64):
    %0 = arith.cmpf ole, %a, %b : f32
    tm_tensor.yield %0 : i1
  } -> tensor<2x7x3xf32>, tensor<2x7x3xi64>
  return %r#0, %r#1 : tensor<2x7x3xf32>, tensor<2x7x3xi64>
}
func.func @middle_in() -> (tensor<2x7x3xf32>, tensor<2x7x3xi64>) {
  %0 = arith.constant dense<[[[-1.0, 0.0, 1.0], [2.0, -3.0, -3.0], [1.0, 2.0, -2.0], [-2.0, 2.0, -1.0], [-2.0, 1.0, -2.0], [-1.0, 0.0, 0.0], [-3.0, -3.0, 2.0]], [[1.0, 2.0, 0.0], [1.0, -2.0, -1.0], [1.0, -3.0, -2.0], [-3.0, -1.0, 2.0], [-3.0, -1.0, -1.0], [2.0, -2.0, 0.0], [-2.0, -3.0, 1.0]]]> : tensor<2x7x3xf32>
  %1 = arith.constant dense<[[[0, 0, 0], [1, 1, 1], [2, 2, 2], [3, 3, 3], [4, 4, 4], [5, 5, 5], [6, 6, 6]], [[0, 0, 0], [1, 1, 1], [2, 2, 2], [3, 3, 3], [4, 4, 4], [5, 5, 5], [6, 6, 6]]]> : tensor<2x7x3xi64>
  return %0, %1 : tensor<2x7x3xf32>, tensor<2x7x3xi64>
}
func.func @middle_out() -> (tensor<2x7x3xf32>, tensor<2x7x3xi64>) {
  %0 = arith.constant dense<[[[-3.0, -3.0, -3.0], [-2.0, -3.0, -2.0], [-2.0, 0.0, -2.0], [-1.0, 0.0, -1.0], [-1.0, 1.0, 0.0], [1.0, 2.0, 1.0], [2.0, 2.0, 2.0]], [[-3.0, -3.0, -2.0], [-3.0, -3.0, -1.0], [-2.0, -2.0, -1.0], [1.0, -2.0, 0.0], [1.0, -1.0, 0.0], [1.0, -1.0, 1.0], [2.0, 2.0, 2.0]]]> : tensor<2x7x3xf32>
  %1 = arith.constant dense<[[[6, 1, 1], [3, 6, 2], [4, 0, 4], [0, 5, 3], [5, 4, 5], [2, 2, 0], [1, 3, 6]], [[3, 2, 2], [4, 6, 1], [6, 1, 4], [0, 5, 0], [1, 3, 5], [2, 4, 6], [5, 0, 3]]]> : tensor<2x7x3xi64>
  return %0, %1 : tensor<2x7x3xf32>, tensor<2x7x3xi64>
}

func.func @one(%x: tensor<3x1xf32>, %i: tensor<3x1xi64>) -> (tensor<3x1xf32>, tensor<3x1xi64>) {
  %r:2 = tm_tensor.sort dimension(1) outs(%x, %i : tensor<3x1xf32>, tensor<3x1xi64>) {
  ^bb0(%a: f32, %b: f32, %i0: i64, %i1: i64):
    %0 = arith.cmpf ole, %a, %b : f32
    tm_tensor.yield %0 : i1
  } -> tensor<3x1xf32>, tensor<3x1xi64>
  return %r#0, %r#1 : tensor<3x1xf32>, tensor<3x1xi64>
}
func.func @one_in() -> (tensor<3x1xf32>, tensor<3x1xi64>) {
  %0 = arith.constant dense<[[0.0], [2.0], [4.0]]> : tensor<3x1xf32>
  %1 = arith.constant dense<[[0], [0], [0]]> : tensor<3x1xi64>
  return %0, %1 : tensor<3x1xf32>, tensor<3x1xi64>
}
func.func @one_out() -> (tensor<3x1xf32>, tensor<3x1xi64>) {
  %0 = arith.constant dense<[[0.0], [2.0], [4.0]]> : tensor<3x1xf32>
  %1 = arith.constant dense<[[0], [0], [0]]> : tensor<3x1xi64>
  return %0, %1 : tensor<3x1xf32>, tensor<3x1xi64>
}

func.func @many(%x: tensor<11xf32>, %i: tensor<11xi64>) -> (tensor<11xf32>, tensor<11xi64>) {
  %r:2 = tm_tensor.sort dimension(0) outs(%x, %i : tensor<11xf32>, tensor<11xi64>) {
  ^bb0(%a: f32, %b: f32, %i0: i64, %i1: i64):
    %0 = arith.cmpf ole, %a, %b : f32
    tm_tensor.yield %0 : i1
  } -> tensor<11xf32>, tensor<11xi64>
  return %r#0, %r#1 : tensor<11xf32>, tensor<11xi64>
}
func.func @many_in() -> (tensor<11xf32>, tensor<11xi64>) {
  %0 = arith.constant dense<[-1.0, -7.0, 8.0, 4.0, 8.0, -8.0, 4.0, -4.0, 0.0, 7.0, -5.0]> : tensor<11xf32>
  %1 = arith.constant dense<[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]> : tensor<11xi64>
  return %0, %1 : tensor<11xf32>, tensor<11xi64>
}
func.func @many_out() -> (tensor<11xf32>, tensor<11xi64>) {
  %0 = arith.constant dense<[-8.0, -7.0, -5.0, -4.0, -1.0, 0.0, 4.0, 4.0, 7.0, 8.0, 8.0]> : tensor<11xf32>
  %1 = arith.constant dense<[5, 1, 10, 7, 0, 8, 3, 6, 9, 2, 4]> : tensor<11xi64>
  return %0, %1 : tensor<11xf32>, tensor<11xi64>
}

func.func @dynamic(%x: tensor<?xf32>, %i: tensor<?xi64>) -> (tensor<?xf32>, tensor<?xi64>) {
  %r:2 = tm_tensor.sort dimension(0) outs(%x, %i : tensor<?xf32>, tensor<?xi64>) {
  ^bb0(%a: f32, %b: f32, %i0: i64, %i1: i64):
    %0 = arith.cmpf ole, %a, %b : f32
    tm_tensor.yield %0 : i1
  } -> tensor<?xf32>, tensor<?xi64>
  return %r#0, %r#1 : tensor<?xf32>, tensor<?xi64>
}
func.func @dynamic_in() -> (tensor<5xf32>, tensor<5xi64>) {
  %0 = arith.constant dense<[1.0, -2.0, -1.0, 2.0, 0.0]> : tensor<5xf32>
  %1 = arith.constant dense<[0, 1, 2, 3, 4]> : tensor<5xi64>
  return %0, %1 : tensor<5xf32>, tensor<5xi64>
}
func.func @dynamic_out() -> (tensor<5xf32>, tensor<5xi64>) {
  %0 = arith.constant dense<[-2.0, -1.0, 0.0, 1.0, 2.0]> : tensor<5xf32>
  %1 = arith.constant dense<[1, 2, 4, 0, 3]> : tensor<5xi64>
  return %0, %1 : tensor<5xf32>, tensor<5xi64>
}

func.func @descending(%x: tensor<8xf32>) -> tensor<8xf32> {
  %r = tm_tensor.sort dimension(0) outs(%x : tensor<8xf32>) {
  ^bb0(%a: f32, %b: f32):
    %0 = arith.cmpf ogt, %a, %b : f32
    tm_tensor.yield %0 : i1
  } -> tensor<8xf32>
  return %r : tensor<8xf32>
}
func.func @descending_in() -> (tensor<8xf32>) {
  %0 = arith.constant dense<[4.0, -9.0, 3.0, 7.0, -1.0, 2.0, 0.0, 3.0]> : tensor<8xf32>
  return %0 : tensor<8xf32>
}
func.func @descending_out() -> (tensor<8xf32>) {
  %0 = arith.constant dense<[7.0, 4.0, 3.0, 3.0, 2.0, 0.0, -1.0, -9.0]> : tensor<8xf32>
  return %0 : tensor<8xf32>
}

func.func @largest(%x: tensor<2x11xf32>) -> (tensor<2x3xf32>, tensor<2x3xi64>) {
  %start = arith.constant dense<0xFF800000> : tensor<2x3xf32>
  %zero = arith.constant dense<0> : tensor<2x3xi64>
  %r:2 = tm_tensor.topk dimension(1) ins(%x : tensor<2x11xf32>) outs(%start, %zero : tensor<2x3xf32>, tensor<2x3xi64>) {
  ^bb0(%a: f32, %b: f32):
    %0 = arith.cmpf ogt, %a, %b : f32
    tm_tensor.yield %0 : i1
  } -> tensor<2x3xf32>, tensor<2x3xi64>
  return %r#0, %r#1 : tensor<2x3xf32>, tensor<2x3xi64>
}
func.func @largest_in() -> (tensor<2x11xf32>) {
  %0 = arith.constant dense<[[0.0, -2.0, -4.0, -1.0, 0.0, -1.0, 2.0, -2.0, 0.0, 2.0, 3.0], [-1.0, -4.0, 1.0, 0.0, 2.0, -1.0, -2.0, -4.0, -1.0, 1.0, 2.0]]> : tensor<2x11xf32>
  return %0 : tensor<2x11xf32>
}
func.func @largest_out() -> (tensor<2x3xf32>, tensor<2x3xi64>) {
  %0 = arith.constant dense<[[3.0, 2.0, 2.0], [2.0, 2.0, 1.0]]> : tensor<2x3xf32>
  %1 = arith.constant dense<[[10, 6, 9], [4, 10, 2]]> : tensor<2x3xi64>
  return %0, %1 : tensor<2x3xf32>, tensor<2x3xi64>
}

func.func @smallest(%x: tensor<6x2xf32>, %i: tensor<6x2xi64>) -> (tensor<6x2xf32>, tensor<6x2xi64>) {
  %start = arith.constant dense<0x7F800000> : tensor<6x2xf32>
  %zero = arith.constant dense<0> : tensor<6x2xi64>
  %r:2 = tm_tensor.topk dimension(0) ins(%x, %i : tensor<6x2xf32>, tensor<6x2xi64>) outs(%start, %zero : tensor<6x2xf32>, tensor<6x2xi64>) {
  ^bb0(%a: f32, %b: f32):
    %0 = arith.cmpf olt, %a, %b : f32
    tm_tensor.yield %0 : i1
  } -> tensor<6x2xf32>, tensor<6x2xi64>
  return %r#0, %r#1 : tensor<6x2xf32>, tensor<6x2xi64>
}
func.func @smallest_in() -> (tensor<6x2xf32>, tensor<6x2xi64>) {
  %0 = arith.constant dense<[[2.0, -3.0], [0.0, 2.0], [-2.0, -2.0], [2.0, 0.0], [0.0, 1.0], [0.0, 3.0]]> : tensor<6x2xf32>
  %1 = arith.constant dense<[[23, 14], [27, 16], [70, 58], [77, 59], [80, 77], [82, 87]]> : tensor<6x2xi64>
  return %0, %1 : tensor<6x2xf32>, tensor<6x2xi64>
}
func.func @smallest_out() -> (tensor<6x2xf32>, tensor<6x2xi64>) {
  %0 = arith.constant dense<[[-2.0, -3.0], [0.0, -2.0], [0.0, 0.0], [0.0, 1.0], [2.0, 2.0], [2.0, 3.0]]> : tensor<6x2xf32>
  %1 = arith.constant dense<[[70, 14], [27, 58], [80, 59], [82, 77], [23, 16], [77, 87]]> : tensor<6x2xi64>
  return %0, %1 : tensor<6x2xf32>, tensor<6x2xi64>
}

// The number of elements has a bound that the caller is checked against.
// RUN: lw-opt %s --decompose-composite-ops --convert-linalg-to-loop | FileCheck %s --check-prefix=BOUND
// BOUND: affine_set<()[{{.*}}] : (-s0 + 2147483647 >= 0)>
// BOUND: func.func @dynamic({{.*}}loop.requires = #set

// Two searches and two merges for three elements; the first merge has no order to read.
// RUN: lw-opt %s --decompose-composite-ops | FileCheck %s --check-prefix=STEPS
// STEPS-LABEL: func.func @three
// STEPS: linalg.generic {{.*}}"reduction"]} ins(%{{.*}} : tensor<1xi32>)
// STEPS: linalg.generic {{.*}}["parallel"]}
// STEPS: linalg.generic {{.*}}"reduction"]} ins(%{{.*}} : tensor<2xi32>)
// STEPS: linalg.generic {{.*}}["parallel"]}
// STEPS: linalg.generic {{.*}}["parallel"]}
// STEPS-NOT: linalg.generic
// STEPS: return
func.func @three(%x: tensor<3xi32>) -> tensor<3xi32> {
  %r = tm_tensor.sort dimension(0) outs(%x : tensor<3xi32>) {
  ^bb0(%a: i32, %b: i32):
    %0 = arith.cmpi sle, %a, %b : i32
    tm_tensor.yield %0 : i1
  } -> tensor<3xi32>
  return %r : tensor<3xi32>
}
