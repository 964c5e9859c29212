// What the ops of a function presuppose about sizes becomes `loop.requires`. Size i is symbol i.
// RUN: lw-opt %s --convert-linalg-to-loop --split-input-file --verify-diagnostics | FileCheck %s

// The sizes of one loop are equal.
// CHECK: #[[SET:.+]] = affine_set<()[s0, s1, s2, s3, s4, s5] : (-s1 + s2 == 0)>
// CHECK: func.func @matmul({{.*}} attributes {loop.requires = #[[SET]]}
func.func @matmul(%A: tensor<?x?xf32>, %B: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = tensor.dim %A, %c0 : tensor<?x?xf32>
  %n = tensor.dim %B, %c1 : tensor<?x?xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty(%m, %n) : tensor<?x?xf32>
  %s = linalg.fill ins(%zero : f32) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
  %C = linalg.matmul ins(%A, %B : tensor<?x?xf32>, tensor<?x?xf32>) outs(%s : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %C : tensor<?x?xf32>
}

// -----

// The largest index of a sum of iterators is in the operand: o + k of an image of n elements, with m results.
// CHECK: #[[SET:.+]] = affine_set<()[s0, s1, s2] : (s0 - s1 - 2 >= 0)>
// CHECK: func.func @convolution({{.*}} attributes {loop.requires = #[[SET]]}
func.func @convolution(%I: tensor<?xf32>, %K: tensor<3xf32>, %O: tensor<?xf32>) -> tensor<?xf32> {
  %C = linalg.conv_1d ins(%I, %K : tensor<?xf32>, tensor<3xf32>) outs(%O : tensor<?xf32>) -> tensor<?xf32>
  return %C : tensor<?xf32>
}

// -----

// A cast to a static size; a slice inside of its source.
// CHECK: #[[SET:.+]] = affine_set<()[s0, s1] : (s0 - 8 == 0, s1 - 7 >= 0)>
// CHECK: func.func @cast_and_slice({{.*}} attributes {loop.requires = #[[SET]]}
func.func @cast_and_slice(%A: tensor<?xf32>, %B: tensor<?xf32>) -> tensor<8xf32> {
  %a = tensor.cast %A : tensor<?xf32> to tensor<8xf32>
  %b = tensor.extract_slice %B[2] [3] [2] : tensor<?xf32> to tensor<3xf32>
  %c = tensor.insert_slice %b into %a[1] [3] [1] : tensor<3xf32> into tensor<8xf32>
  return %c : tensor<8xf32>
}

// -----

// The parts of a concatenation have the same other sizes.
// CHECK: #[[SET:.+]] = affine_set<()[s0, s1, s2, s3, s4] : (-s1 + s2 == 0)>
// CHECK: func.func @concatenation({{.*}} attributes {loop.requires = #[[SET]]}
func.func @concatenation(%A: tensor<?x?xf32>, %B: tensor<3x?xf32>) -> tensor<?x?xf32> {
  %c = tensor.concat dim(0) %A, %B : (tensor<?x?xf32>, tensor<3x?xf32>) -> tensor<?x?xf32>
  return %c : tensor<?x?xf32>
}

// -----

// A reshape has as many elements as its source.
// CHECK: #[[SET:.+]] = affine_set<()[s0, s1, s2] : (s0 mod 4 == 0, s1 - 6 == 0)>
// CHECK: func.func @reshapes({{.*}} attributes {loop.requires = #[[SET]]}
func.func @reshapes(%A: tensor<?xf32>, %B: tensor<?xf32>) -> (tensor<?x4xf32>, tensor<2x3xf32>) {
  %shape = arith.constant dense<[2, 3]> : tensor<2xindex>
  %c0 = arith.constant 0 : index
  %n = tensor.dim %A, %c0 : tensor<?xf32>
  %c4 = arith.constant 4 : index
  %rows = arith.divui %n, %c4 : index
  %a = tensor.expand_shape %A [[0, 1]] output_shape [%rows, 4] : tensor<?xf32> into tensor<?x4xf32>
  %b = tensor.reshape %B(%shape) : (tensor<?xf32>, tensor<2xindex>) -> tensor<2x3xf32>
  return %a, %b : tensor<?x4xf32>, tensor<2x3xf32>
}

// -----

// An offset is not negative, and so is a padded size.
// CHECK: #[[SET:.+]] = affine_set<()[s0, s1, s2] : (s1 >= 0, s0 - s1 - 3 >= 0, s0 - 4 >= 0)>
// CHECK: func.func @offset_and_crop({{.*}} attributes {loop.requires = #[[SET]]}
func.func @offset_and_crop(%A: tensor<?xf32>, %i: index) -> (tensor<3xf32>, tensor<?xf32>) {
  %zero = arith.constant 0.0 : f32
  %a = tensor.extract_slice %A[%i] [3] [1] : tensor<?xf32> to tensor<3xf32>
  %b = tensor.pad %A low[-1] high[-3] {
  ^bb0(%p: index):
    tensor.yield %zero : f32
  } : tensor<?xf32> to tensor<?xf32>
  return %a, %b : tensor<3xf32>, tensor<?xf32>
}

// -----

// Assertions that compare sizes. Each of two conditions holds.
// CHECK: #[[SET:.+]] = affine_set<()[s0, s1, s2] : (-s0 + s1 == 0, s0 - 4 >= 0)>
// CHECK: func.func @assertion({{.*}} attributes {loop.requires = #[[SET]]}
func.func @assertion(%A: tensor<?xf32>, %B: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : i64
  %n = tensor.dim %A, %c0 : tensor<?xf32>
  %m = tensor.dim %B, %c0 : tensor<?xf32>
  %n64 = arith.index_cast %n : index to i64
  %m64 = arith.index_cast %m : index to i64
  %same = arith.cmpi eq, %n64, %m64 : i64
  %long = arith.cmpi sge, %n64, %c4 : i64
  %both = arith.andi %same, %long : i1
  cf.assert %both, "mismatched size"
  return %A : tensor<?xf32>
}

// -----

// Other assertions are not checked, and a remark says so.
// CHECK: func.func @on_data
// CHECK-NOT: loop.requires
func.func @on_data(%A: tensor<4xf32>, %flag: tensor<i1>) -> tensor<4xf32> {
  %b = tensor.extract %flag[] : tensor<i1>
  // expected-remark @+1 {{this assertion and 2 others are not checked, as only conditions on sizes are}}
  cf.assert %b, "flag"
  %empty = tensor.empty() : tensor<4xf32>
  %half = linalg.generic {
      indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>],
      iterator_types = ["parallel"]} ins(%A : tensor<4xf32>) outs(%empty : tensor<4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %zero = arith.constant 0.0 : f32
    %positive = arith.cmpf ogt, %a, %zero : f32
    cf.assert %positive, "expected numbers above 0"
    %small = arith.cmpf olt, %a, %a : f32
    cf.assert %small, "expected numbers below themselves"
    linalg.yield %a : f32
  } -> tensor<4xf32>
  return %half : tensor<4xf32>
}

// -----

// A caller requires what its callee requires.
// CHECK: #[[OUTER:.+]] = affine_set<()[s0, s1] : (s1 - 4 >= 0)>
// CHECK: func.func @outer({{.*}} attributes {loop.requires = #[[OUTER]]}
func.func private @inner(%A: tensor<?xf32>) -> tensor<3xf32> {
  %a = tensor.extract_slice %A[1] [3] [1] : tensor<?xf32> to tensor<3xf32>
  return %a : tensor<3xf32>
}
func.func @outer(%A: tensor<?xf32>, %B: tensor<?xf32>) -> tensor<3xf32> {
  %b = call @inner(%B) : (tensor<?xf32>) -> tensor<3xf32>
  return %b : tensor<3xf32>
}

// -----

func.func @never(%A: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %A, %c0 : tensor<?xf32>
  %m = arith.addi %n, %c1 : index
  %e = tensor.empty(%m) : tensor<?xf32>
  // expected-error @+1 {{has operands whose sizes never fit together}}
  %b = linalg.exp ins(%A : tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  return %b : tensor<?xf32>
}

// -----

// Sizes that an assertion equates are one size: both loops of the sum have the same extent, and the buffer has it, too.
// CHECK: affine_set<()[s0, s1, s2, s3] : (-s0 + s2 == 0, -s1 + s2 * 2 == 0)>
// CHECK-LABEL: func.func @equated(
// CHECK-NOT: memref.dim
// CHECK: loop.for serial %{{.*}} in %arg2 {
// CHECK: loop.for serial %{{.*}} in %arg2 {
// CHECK: return
func.func @equated(%x: tensor<?xf32>, %y: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %of_x = tensor.dim %x, %c0 : tensor<?xf32>
  %of_y = tensor.dim %y, %c0 : tensor<?xf32>
  %twice = arith.muli %n, %c2 : index
  %first = arith.cmpi eq, %of_x, %n : index
  cf.assert %first, "x"
  %second = arith.cmpi eq, %of_y, %twice : index
  cf.assert %second, "y"
  %part = tensor.extract_slice %y[0] [%of_x] [1] : tensor<?xf32> to tensor<?xf32>
  %e = tensor.empty(%of_x) : tensor<?xf32>
  %r = linalg.add ins(%x, %part : tensor<?xf32>, tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}
