// Reshapes become ops that state which dimensions are joined and which are split.
// RUN: lw-opt %s --reshapes-to-groups --split-input-file | FileCheck %s

// A dimension is split, as PyTorch divides rows among heads. The sizes are 64-bit integers.
// CHECK-LABEL: func.func @split(
// CHECK-SAME:    %[[X:.*]]: tensor<1x?x768xf32>
// CHECK:         %[[N:.*]] = arith.index_cast %{{.*}} : index to i64
// CHECK:         %[[I:.*]] = arith.index_cast %[[N]] : i64 to index
// CHECK:         tensor.expand_shape %[[X]] {{\[\[}}0], [1], [2, 3]] output_shape [1, %[[I]], 12, 64] : tensor<1x?x768xf32> into tensor<1x?x12x64xf32>
// CHECK-NEXT:    return
func.func @split(%x: tensor<1x?x768xf32>) -> tensor<1x?x12x64xf32> {
  %i1 = arith.constant 1 : index
  %one = arith.constant 1 : i64
  %twelve = arith.constant 12 : i64
  %rest = arith.constant 64 : i64
  %d = tensor.dim %x, %i1 : tensor<1x?x768xf32>
  %n = arith.index_cast %d : index to i64
  %shape = tensor.from_elements %one, %n, %twelve, %rest : tensor<4xi64>
  %y = tensor.reshape %x(%shape) : (tensor<1x?x768xf32>, tensor<4xi64>) -> tensor<1x?x12x64xf32>
  return %y : tensor<1x?x12x64xf32>
}

// -----

// Dimensions are joined; a dimension of one element joins the next.
// CHECK-LABEL: func.func @join(
// CHECK:         tensor.collapse_shape %{{.*}} {{\[\[}}0, 1], [2, 3]] : tensor<1x?x12x64xf32> into tensor<?x768xf32>
// CHECK-NEXT:    return
func.func @join(%x: tensor<1x?x12x64xf32>) -> tensor<?x768xf32> {
  %i1 = arith.constant 1 : index
  %c768 = arith.constant 768 : index
  %n = tensor.dim %x, %i1 : tensor<1x?x12x64xf32>
  %shape = tensor.from_elements %n, %c768 : tensor<2xindex>
  %y = tensor.reshape %x(%shape) : (tensor<1x?x12x64xf32>, tensor<2xindex>) -> tensor<?x768xf32>
  return %y : tensor<?x768xf32>
}

// -----

// Some dimensions are joined and others split, and there is one of one element at the end.
// CHECK-LABEL: func.func @both(
// CHECK:         %[[Y:.*]] = tensor.collapse_shape %{{.*}} {{\[\[}}0, 1], [2]] : tensor<?x3x8xf32> into tensor<?x8xf32>
// CHECK-NEXT:    tensor.expand_shape %[[Y]] {{\[\[}}0], [1, 2, 3]] output_shape [%{{.*}}, 2, 4, 1] : tensor<?x8xf32> into tensor<?x2x4x1xf32>
// CHECK-NEXT:    return
func.func @both(%x: tensor<?x3x8xf32>) -> tensor<?x2x4x1xf32> {
  %i0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %n = tensor.dim %x, %i0 : tensor<?x3x8xf32>
  %all = arith.muli %n, %c3 : index
  %shape = tensor.from_elements %all, %c2, %c4, %c1 : tensor<4xindex>
  %y = tensor.reshape %x(%shape) : (tensor<?x3x8xf32>, tensor<4xindex>) -> tensor<?x2x4x1xf32>
  return %y : tensor<?x2x4x1xf32>
}

// -----

// (C1) The sizes are no list of values.
// CHECK-LABEL: func.func @no_list(
// CHECK:         tensor.reshape
func.func @no_list(%x: tensor<6x4xf32>, %shape: tensor<3xindex>) -> tensor<2x3x4xf32> {
  %y = tensor.reshape %x(%shape) : (tensor<6x4xf32>, tensor<3xindex>) -> tensor<2x3x4xf32>
  return %y : tensor<2x3x4xf32>
}

// -----

// (C2) All dimensions are one group.
// CHECK-LABEL: func.func @one_group(
// CHECK:         tensor.reshape
func.func @one_group(%x: tensor<?x6x4xf32>) -> tensor<?x4x6xf32> {
  %i0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c6 = arith.constant 6 : index
  %n = tensor.dim %x, %i0 : tensor<?x6x4xf32>
  %shape = tensor.from_elements %n, %c4, %c6 : tensor<3xindex>
  %y = tensor.reshape %x(%shape) : (tensor<?x6x4xf32>, tensor<3xindex>) -> tensor<?x4x6xf32>
  return %y : tensor<?x4x6xf32>
}

// -----

// (C3) The type does not state that the first size is 2.
// CHECK-LABEL: func.func @unstated(
// CHECK:         tensor.reshape
func.func @unstated(%x: tensor<6x4xf32>) -> tensor<?x3x4xf32> {
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %shape = tensor.from_elements %c2, %c3, %c4 : tensor<3xindex>
  %y = tensor.reshape %x(%shape) : (tensor<6x4xf32>, tensor<3xindex>) -> tensor<?x3x4xf32>
  return %y : tensor<?x3x4xf32>
}
