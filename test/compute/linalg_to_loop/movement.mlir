// RUN: lw-opt %s --convert-linalg-to-loop | FileCheck %s

// CHECK-LABEL: func.func @expand
// CHECK: reads(%arg0[%vi * 4 + %vj : 1])
func.func @expand(%x: tensor<12xf32>) -> tensor<3x4xf32> {
  %0 = tensor.expand_shape %x [[0, 1]] output_shape [3, 4] : tensor<12xf32> into tensor<3x4xf32>
  return %0 : tensor<3x4xf32>
}

// CHECK-LABEL: func.func @collapse
// CHECK: reads(%arg0[%vi floordiv 4 : 1, %vi mod 4 : 1])
func.func @collapse(%x: tensor<3x4xf32>) -> tensor<12xf32> {
  %0 = tensor.collapse_shape %x [[0, 1]] : tensor<3x4xf32> into tensor<12xf32>
  return %0 : tensor<12xf32>
}

// CHECK-LABEL: func.func @slice
// CHECK: reads(%arg0[%vi * 3 + %arg1 : 1, 2 : 1])
func.func @slice(%x: tensor<20x5xf32>, %from: index) -> tensor<4xf32> {
  %0 = tensor.extract_slice %x[%from, 2] [4, 1] [3, 1] : tensor<20x5xf32> to tensor<4xf32>
  return %0 : tensor<4xf32>
}

// One complete block without a second writer.
// CHECK-LABEL: func.func @insert
// CHECK: loop.block "insert_slice" [%vi: spatial 10]
// CHECK: loop.if (%vi - 2 >= 0, -%vi + 8 >= 0, (%vi + 1) mod 3 == 0) -> f32
// CHECK-NOT: loop.block
func.func @insert(%x: tensor<3xf32>, %to: tensor<10xf32>) -> tensor<10xf32> {
  %0 = tensor.insert_slice %x into %to[2] [3] [3] : tensor<3xf32> into tensor<10xf32>
  return %0 : tensor<10xf32>
}

// CHECK-LABEL: func.func @pad
// CHECK: loop.block "pad" [%vi: spatial 7, %vj: spatial 5]
// CHECK: loop.if (%vi - 1 >= 0, -%vi + 4 >= 0) -> f32
// CHECK: memref.load %arg0
// CHECK: } else {
func.func @pad(%x: tensor<4x5xf32>) -> tensor<7x5xf32> {
  %c = arith.constant 2.0 : f32
  %0 = tensor.pad %x low[1, 0] high[2, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %c : f32
  } : tensor<4x5xf32> to tensor<7x5xf32>
  return %0 : tensor<7x5xf32>
}

// CHECK-LABEL: func.func @concat
// CHECK: loop.block "concat" [%vi: spatial 9]
// CHECK: loop.if (-%vi + 1 >= 0)
// CHECK: loop.if (-%vi + 5 >= 0)
// CHECK-NOT: loop.block
func.func @concat(%x: tensor<2xf32>, %y: tensor<4xf32>, %z: tensor<3xf32>) -> tensor<9xf32> {
  %0 = tensor.concat dim(0) %x, %y, %z : (tensor<2xf32>, tensor<4xf32>, tensor<3xf32>) -> tensor<9xf32>
  return %0 : tensor<9xf32>
}

// CHECK-LABEL: func.func @dynamic_pad
// CHECK: %[[N:.*]] = memref.dim %arg0
// CHECK: loop.for serial %i in #{{.*}}()[%[[N]]]
// CHECK: loop.block "pad" [%vi: spatial %[[N]] + 2]
func.func @dynamic_pad(%x: tensor<?xf32>) -> tensor<?xf32> {
  %c = arith.constant 2.0 : f32
  %0 = tensor.pad %x low[1] high[1] {
  ^bb0(%i: index):
    tensor.yield %c : f32
  } : tensor<?xf32> to tensor<?xf32>
  return %0 : tensor<?xf32>
}

// CHECK-LABEL: func.func @generate
// CHECK: arith.index_cast %vi
func.func @generate(%n: index) -> tensor<?xi64> {
  %0 = tensor.generate %n {
  ^bb0(%i: index):
    %v = arith.index_cast %i : index to i64
    tensor.yield %v : i64
  } : tensor<?xi64>
  return %0 : tensor<?xi64>
}

// CHECK-LABEL: func.func @bitcast
// CHECK: loop.block "bitcast"
// CHECK: %[[V:.+]] = memref.load
// CHECK: arith.bitcast %[[V]] : f32 to i32
func.func @bitcast(%x: tensor<4xf32>) -> tensor<4xi32> {
  %y = tensor.bitcast %x : tensor<4xf32> to tensor<4xi32>
  return %y : tensor<4xi32>
}
