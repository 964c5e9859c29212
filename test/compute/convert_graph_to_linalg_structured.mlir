// The linalg definitions of the structured ops. What they compute is tested in test/integration/cases/graph.py.
// RUN: lw-opt %s --convert-graph-to-linalg | FileCheck %s

// CHECK-DAG: #[[IMAGE:.*]] = affine_map<(d0, d1, d2, d3, d4, d5, d6, d7) -> (d0, d1, d5, d3 * 2 + d6, d4 + d7)>
// CHECK-DAG: #[[FILTER:.*]] = affine_map<(d0, d1, d2, d3, d4, d5, d6, d7) -> (d1, d2, d5, d6, d7)>

// The groups of a convolution are a dimension of their own.
// CHECK-LABEL: @grouped_convolution
// CHECK: %[[PADDED:.*]] = tensor.pad %arg0 low[0, 0, 1, 1] high[0, 0, 1, 1]
// CHECK: tensor.expand_shape %[[PADDED]] {{\[\[}}0], [1, 2], [3], [4]] {{.*}} into tensor<1x2x2x8x8xf32>
// CHECK: tensor.expand_shape %arg1 {{\[\[}}0, 1], [2], [3], [4]] {{.*}} into tensor<2x3x2x3x3xf32>
// CHECK: linalg.generic {indexing_maps = [#[[IMAGE]], #[[FILTER]], {{.*}}], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
// CHECK: tensor.collapse_shape {{.*}} into tensor<1x6x3x6xf32>
func.func @grouped_convolution(%x: tensor<1x4x6x6xf32>, %w: tensor<6x2x3x3xf32>) -> tensor<1x6x3x6xf32> {
  %r = graph.conv channels_first %x, %w strides = [2, 1] low = [1, 1] high = [1, 1] groups = 2
     : tensor<1x4x6x6xf32>, tensor<6x2x3x3xf32> -> tensor<1x6x3x6xf32>
  return %r : tensor<1x6x3x6xf32>
}

// Products are added in the type of the result.
// CHECK-LABEL: @bytes
// CHECK: arith.extsi {{.*}} : i8 to i32
// CHECK: arith.extsi {{.*}} : i8 to i32
// CHECK: arith.muli {{.*}} : i32
// CHECK: arith.addi {{.*}} : i32
func.func @bytes(%x: tensor<4x8xi8>, %y: tensor<8x4xi8>) -> tensor<4x4xi32> {
  %r = graph.matmul %x, %y : tensor<4x8xi8>, tensor<8x4xi8> -> tensor<4x4xi32>
  return %r : tensor<4x4xi32>
}

// The formulas of f16 are computed in f32.
// CHECK-LABEL: @short_floats
// CHECK: arith.extf {{.*}} : f16 to f32
// CHECK: math.exp {{.*}} : f32
// CHECK: arith.truncf {{.*}} : f32 to f16
func.func @short_floats(%x: tensor<4xf16>) -> tensor<4xf16> {
  %r = graph.sigmoid %x : tensor<4xf16>
  return %r : tensor<4xf16>
}

// CHECK-LABEL: @softmax
// CHECK: linalg.softmax dimension(1) ins(%arg0 : tensor<4x8xf32>)
func.func @softmax(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %r = graph.softmax %x dim = 1 : tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}

// Padding does not count: the number of elements under the window is computed from its position.
// CHECK-LABEL: @average
// CHECK: tensor.pad
// CHECK: linalg.index 2
// CHECK: arith.maxsi
// CHECK: arith.minsi
// CHECK: arith.divf
func.func @average(%x: tensor<1x4x6x6xf32>) -> tensor<1x4x6x6xf32> {
  %r = graph.pool average channels_first %x window = [3, 3] low = [1, 1] high = [1, 1] : tensor<1x4x6x6xf32> -> tensor<1x4x6x6xf32>
  return %r : tensor<1x4x6x6xf32>
}

// Only dimensions that change are joined and split.
// CHECK-LABEL: @reshape
// CHECK: %[[JOINED:.*]] = tensor.collapse_shape %arg0 {{\[\[}}0], [1, 2]] : tensor<6x2x5xf32> into tensor<6x10xf32>
// CHECK: tensor.expand_shape %[[JOINED]] {{\[\[}}0, 1], [2]] output_shape [2, 3, 10]
func.func @reshape(%x: tensor<6x2x5xf32>) -> tensor<2x3x10xf32> {
  %r = graph.reshape %x : tensor<6x2x5xf32> to tensor<2x3x10xf32>
  return %r : tensor<2x3x10xf32>
}

// The bounds of a slice of a dynamic dimension are moved into it.
// CHECK-LABEL: @slice
// CHECK: %[[N:.*]] = tensor.dim %arg0, %c0
// CHECK: %[[END:.*]] = arith.minsi %c6, %[[N]]
// CHECK: tensor.extract_slice %arg0[%{{.*}}, 0] [%{{.*}}, 5] [2, 1] : tensor<?x5xf32> to tensor<?x5xf32>
func.func @slice(%x: tensor<?x5xf32>) -> tensor<?x5xf32> {
  %r = graph.slice %x dims = [0] starts = [1] ends = [6] steps = [2] : tensor<?x5xf32> -> tensor<?x5xf32>
  return %r : tensor<?x5xf32>
}

// An index is moved into the dimension before it is used.
// CHECK-LABEL: @take
// CHECK: arith.index_cast
// CHECK: arith.select
// CHECK: arith.minsi
// CHECK: arith.maxsi
// CHECK: tensor.extract %arg0[
func.func @take(%x: tensor<9x4xf32>, %i: tensor<3xi64>) -> tensor<3x4xf32> {
  %r = graph.take %x, %i dim = 0 : tensor<9x4xf32>, tensor<3xi64> -> tensor<3x4xf32>
  return %r : tensor<3x4xf32>
}

// A shift by all bits is not one of arith, and is replaced.
// CHECK-LABEL: @shift
// CHECK: %[[BY:.*]] = arith.minui %in_0, %c31_i32
// CHECK: arith.shli %in, %[[BY]]
// CHECK: arith.cmpi ugt
// CHECK: arith.select
func.func @shift(%x: tensor<4xi32>, %y: tensor<4xi32>) -> tensor<4xi32> {
  %r = graph.shl %x, %y : tensor<4xi32>
  return %r : tensor<4xi32>
}

// A number beyond the range of the integers is not converted.
// CHECK-LABEL: @saturating
// CHECK: arith.cmpf ole
// CHECK: arith.cmpf oge
// CHECK: arith.cmpf uno
// CHECK: %[[INSIDE:.*]] = arith.select
// CHECK: arith.fptosi %[[INSIDE]] : f32 to i8
func.func @saturating(%x: tensor<4xf32>) -> tensor<4xi8> {
  %r = graph.cast %x : tensor<4xf32> to tensor<4xi8>
  return %r : tensor<4xi8>
}

// A dimension of unknown size must have elements, because there is no index in an empty one.
// CHECK-LABEL: @take_of_any_size
// CHECK: %[[HAS:.*]] = arith.cmpi sge, %{{.*}}, %c1
// CHECK: cf.assert %[[HAS]], "graph.take takes elements of dimension 0, which has none"
func.func @take_of_any_size(%x: tensor<?x4xf32>, %i: tensor<3xi64>) -> tensor<3x4xf32> {
  %r = graph.take %x, %i dim = 0 : tensor<?x4xf32>, tensor<3xi64> -> tensor<3x4xf32>
  return %r : tensor<3x4xf32>
}
