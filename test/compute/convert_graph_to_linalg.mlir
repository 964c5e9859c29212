// RUN: lw-opt %s --convert-graph-to-linalg | FileCheck %s

// CHECK-DAG: #[[ID:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-DAG: #[[COLUMN:.*]] = affine_map<(d0, d1) -> (d1)>
// CHECK-DAG: #[[KEPT:.*]] = affine_map<(d0, d1) -> (d0, 0)>
// CHECK-DAG: #[[TURNED:.*]] = affine_map<(d0, d1) -> (d1, d0)>
// CHECK-DAG: #[[A:.*]] = affine_map<(d0, d1, d2) -> (d2, d0)>
// CHECK-DAG: #[[B:.*]] = affine_map<(d0, d1, d2) -> (d1, d2)>
// CHECK-DAG: #[[C:.*]] = affine_map<(d0, d1, d2) -> (d0, d1)>

// CHECK-LABEL: @elementwise_dynamic
// CHECK: %[[N:.*]] = tensor.dim %arg0, %c0
// CHECK: %[[E:.*]] = tensor.empty(%[[N]]) : tensor<?x3xf32>
// CHECK: linalg.generic {indexing_maps = [#[[ID]], #[[ID]], #[[ID]]], iterator_types = ["parallel", "parallel"]} ins(%arg0, %arg1 : {{.*}}) outs(%[[E]] :
// CHECK: arith.addf
func.func @elementwise_dynamic(%x: tensor<?x3xf32>, %y: tensor<?x3xf32>) -> tensor<?x3xf32> {
  %0 = graph.add %x, %y : tensor<?x3xf32>
  return %0 : tensor<?x3xf32>
}

// CHECK-LABEL: @float_bodies
// CHECK: arith.subf
// CHECK: arith.mulf
// CHECK: arith.divf
// CHECK: arith.maximumf
// CHECK: arith.minimumf
// CHECK: math.exp
// CHECK: arith.negf
// CHECK: %[[ZERO:.*]] = arith.constant 0.0
// CHECK: arith.maximumf %{{.*}}, %[[ZERO]]
func.func @float_bodies(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = graph.sub %x, %x : tensor<4xf32>
  %1 = graph.mul %0, %x : tensor<4xf32>
  %2 = graph.div %1, %x : tensor<4xf32>
  %3 = graph.max %2, %x : tensor<4xf32>
  %4 = graph.min %3, %x : tensor<4xf32>
  %5 = graph.exp %4 : tensor<4xf32>
  %6 = graph.neg %5 : tensor<4xf32>
  %7 = graph.relu %6 : tensor<4xf32>
  return %7 : tensor<4xf32>
}

// CHECK-LABEL: @integer_bodies
// CHECK: arith.addi
// CHECK: arith.divsi
// CHECK: arith.maxsi
// CHECK: arith.subi %c0_i8
func.func @integer_bodies(%x: tensor<4xi8>) -> tensor<4xi8> {
  %0 = graph.add %x, %x : tensor<4xi8>
  %1 = graph.div %0, %x : tensor<4xi8>
  %2 = graph.max %1, %x : tensor<4xi8>
  %3 = graph.neg %2 : tensor<4xi8>
  return %3 : tensor<4xi8>
}

// CHECK-LABEL: @matmul_transposed
// CHECK: linalg.fill
// CHECK: linalg.generic {indexing_maps = [#[[A]], #[[B]], #[[C]]], iterator_types = ["parallel", "parallel", "reduction"]}
// CHECK: arith.mulf
// CHECK: arith.addf
func.func @matmul_transposed(%a: tensor<3x2xf32>, %b: tensor<5x3xf32>) -> tensor<2x5xf32> {
  %0 = graph.matmul %a, %b transpose_a transpose_b : tensor<3x2xf32>, tensor<5x3xf32> -> tensor<2x5xf32>
  return %0 : tensor<2x5xf32>
}

// CHECK-LABEL: @reduce_keeps_dims
// CHECK: arith.constant 0xFF800000 : f32
// CHECK: linalg.fill
// CHECK: linalg.generic {indexing_maps = [#[[ID]], #[[KEPT]]], iterator_types = ["parallel", "reduction"]}
// CHECK: arith.maximumf
func.func @reduce_keeps_dims(%x: tensor<4x3xf32>) -> tensor<4x1xf32> {
  %0 = graph.reduce max %x dims = [1] keep_dims : tensor<4x3xf32> -> tensor<4x1xf32>
  return %0 : tensor<4x1xf32>
}

// CHECK-LABEL: @broadcast_with_size
// CHECK: tensor.empty(%arg1)
// CHECK: linalg.generic {indexing_maps = [#[[COLUMN]], #[[ID]]]
func.func @broadcast_with_size(%x: tensor<3xf32>, %n: index) -> tensor<?x3xf32> {
  %0 = graph.broadcast %x dims = [1] sizes(%n) : tensor<3xf32> to tensor<?x3xf32>
  return %0 : tensor<?x3xf32>
}

// CHECK-LABEL: @transpose
// CHECK: linalg.generic {indexing_maps = [#[[TURNED]], #[[ID]]]
func.func @transpose(%x: tensor<4x3xi1>) -> tensor<3x4xi1> {
  %0 = graph.transpose %x perm = [1, 0] : tensor<4x3xi1> to tensor<3x4xi1>
  return %0 : tensor<3x4xi1>
}

// A fusion group is kept; it contains linalg ops afterwards.
// CHECK-LABEL: @group
// CHECK: graph.fusion
// CHECK: arith.constant dense<[1.0{{.*}}, 2.0{{.*}}]>
// CHECK: linalg.generic
// CHECK: graph.yield_store
func.func @group(%x: tensor<2xf32>) -> tensor<2xf32> {
  %f = graph.fusion -> tensor<2xf32> {
    %c = graph.constant dense<[1.0, 2.0]> : tensor<2xf32>
    %s = graph.add %x, %c : tensor<2xf32>
    %0 = graph.yield_store %s : tensor<2xf32>
    graph.yield %0 : tensor<2xf32>
  }
  return %f : tensor<2xf32>
}
