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

// Two merge steps order four elements. NaN is larger than all numbers.
// CHECK-LABEL: @sort
// CHECK: arith.cmpf ole, %[[FIRST:.*]], %[[SECOND:.*]] : f32
// CHECK: arith.cmpf uno, %[[SECOND]], %[[SECOND]]
// CHECK: arith.ori
// CHECK: %[[ONE:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<3x4xi32>)
// CHECK: %[[ORDER:.*]] = linalg.generic {{.*}} ins(%{{.*}} : tensor<3x4xi32>) outs(%{{.*}} : tensor<3x4xi32>)
// CHECK: linalg.generic {{.*}} outs(%{{.*}} : tensor<3x4xf32>)
// CHECK: tensor.extract %arg0[
// CHECK: linalg.generic {{.*}} outs(%{{.*}} : tensor<3x4xi64>)
// CHECK-NOT: tensor.extract %arg0[
func.func @sort(%x: tensor<3x4xf32>) -> (tensor<3x4xf32>, tensor<3x4xi64>) {
  %v, %i = graph.sort %x dim = 1 : tensor<3x4xf32> -> tensor<3x4xf32>, tensor<3x4xi64>
  return %v, %i : tensor<3x4xf32>, tensor<3x4xi64>
}

// A dimension of unknown size must have enough elements.
// CHECK-LABEL: @topk_of_any_size
// CHECK: arith.cmpi sge, %{{.*}}, %c20
// CHECK: cf.assert %{{.*}}, "graph.topk takes 20 elements of dimension 0, which has fewer"
// CHECK: cf.assert %{{.*}}, "sorts 2^31 or more elements of a dynamic dimension"
func.func @topk_of_any_size(%x: tensor<?xi8>) -> tensor<20xi8> {
  %v, %i = graph.topk %x k = 20 dim = 0 unsigned : tensor<?xi8> -> tensor<20xi8>, tensor<20xi64>
  return %v : tensor<20xi8>
}

// CHECK-LABEL: @scan
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]} ins(%arg0 : tensor<3x4xf32>) outs(%{{.*}}, %{{.*}} : tensor<3x4xf32>, tensor<3xf32>)
// CHECK: ^bb0(%[[X:.*]]: f32, %{{.*}}: f32, %[[SUM:.*]]: f32):
// CHECK: %[[NEXT:.*]] = arith.addf %[[SUM]], %[[X]]
// CHECK: linalg.yield %[[SUM]], %[[NEXT]]
func.func @scan(%x: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %r = graph.scan add %x dim = 1 exclusive : tensor<3x4xf32>
  return %r : tensor<3x4xf32>
}

// A scatter remains; linalg has no form for it.
// CHECK-LABEL: @scatter
// CHECK: graph.scatter_elements add %arg0, %arg1, %arg2 dim = 0
func.func @scatter(%x: tensor<9xf32>, %i: tensor<3xi64>, %u: tensor<3xf32>) -> tensor<9xf32> {
  %r = graph.scatter_elements add %x, %i, %u dim = 0 : tensor<9xf32>, tensor<3xi64>, tensor<3xf32>
  return %r : tensor<9xf32>
}

// CHECK-LABEL: @one_hot
// CHECK: arith.cmpi slt
// CHECK: %[[HERE:.*]] = arith.cmpi eq
// CHECK: arith.select %[[HERE]], %arg1, %arg2 : f32
func.func @one_hot(%i: tensor<3xi64>, %on: f32, %off: f32) -> tensor<3x9xf32> {
  %r = graph.one_hot %i, %on, %off depth = 9 dim = 1 : tensor<3xi64>, f32 -> tensor<3x9xf32>
  return %r : tensor<3x9xf32>
}

// A zero point is added before the number is moved into the range of the integers.
// CHECK-LABEL: @quantize
// CHECK: arith.divf
// CHECK: math.roundeven
// CHECK: %[[ZERO:.*]] = arith.sitofp %{{.*}} : i8 to f32
// CHECK: arith.addf %{{.*}}, %[[ZERO]]
// CHECK: arith.fptosi
func.func @quantize(%x: tensor<4xf32>, %s: tensor<f32>, %z: tensor<i8>) -> tensor<4xi8> {
  %r = graph.quantize %x, %s, %z : tensor<4xf32>, tensor<f32>, tensor<i8> -> tensor<4xi8>
  return %r : tensor<4xi8>
}

// CHECK-LABEL: @group_norm
// CHECK: tensor.expand_shape %arg0 {{\[\[}}0], [1, 2], [3]] output_shape [2, 3, 2, 5]
// CHECK: math.rsqrt
// CHECK: tensor.collapse_shape
func.func @group_norm(%x: tensor<2x6x5xf32>, %s: tensor<6xf32>) -> tensor<2x6x5xf32> {
  %r = graph.group_norm %x, %s, %s groups = 3 epsilon = 1.0e-5 : tensor<2x6x5xf32>, tensor<6xf32>
  return %r : tensor<2x6x5xf32>
}

// A maximum that is an infinity is not subtracted.
// CHECK-LABEL: @logsumexp
// CHECK: arith.maximumf
// CHECK: %[[SIZE:.*]] = math.absf
// CHECK: %[[IS_INFINITE:.*]] = arith.cmpf oeq, %[[SIZE]]
// CHECK: arith.select %[[IS_INFINITE]]
// CHECK: math.exp
// CHECK: math.log
func.func @logsumexp(%x: tensor<4x5xf32>) -> tensor<4xf32> {
  %r = graph.logsumexp %x dims = [1] : tensor<4x5xf32> -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// The number of elements before an element is its place in the result, where a scatter moves its indices.
// CHECK-LABEL: @nonzero
// CHECK: arith.cmpf une
// CHECK: iterator_types = ["reduction"]
// CHECK: %[[PLACES:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<12x1xi64>)
// CHECK: graph.scatter_nd replace %{{[a-z0-9_]+}}, %[[PLACES]], %{{[a-z0-9_]+}} : tensor<12x2xi64>, tensor<12x1xi64>, tensor<12x2xi64>
func.func @nonzero(%x: tensor<3x4xf32>) -> tensor<12x2xi64> {
  %p, %n = graph.nonzero %x : tensor<3x4xf32> -> tensor<12x2xi64>, tensor<i64>
  return %p : tensor<12x2xi64>
}
