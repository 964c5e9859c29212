// RUN: lw-opt %s --convert-linalg-to-loop | FileCheck %s

// CHECK: #[[LEAST:.*]] = affine_set<()[s0{{.*}}] : (s0 - 1 >= 0)>

// The rows of a scatter of elements are independent of each other. An update beyond a row stores the element at index 0 again.
// CHECK-LABEL: @graph_scatter_elements
// CHECK: loop.block "scatter"
// CHECK: %[[AT:.*]] = arith.select %{{.*}}, %{{.*}}, %{{.*}} : index
// CHECK: %[[INSIDE:.*]] = arith.cmpi ult, %[[AT]], %{{.*}} : index
// CHECK: %[[PLACE:.*]] = arith.select %[[INSIDE]], %[[AT]], %{{.*}} : index
// CHECK: arith.addf
// CHECK: %[[NEW:.*]] = arith.select %[[INSIDE]]
// CHECK: memref.store %[[NEW]]
func.func @graph_scatter_elements(%x: tensor<4x8xf32>, %i: tensor<3x2xi64>, %u: tensor<3x2xf32>) -> tensor<4x8xf32> {
  %r = graph.scatter_elements add %x, %i, %u dim = 1 : tensor<4x8xf32>, tensor<3x2xi64>, tensor<3x2xf32>
  return %r : tensor<4x8xf32>
}

// The size of a dimension with indices is 1 or more.
// CHECK-LABEL: @graph_scatter_nd
// CHECK-SAME: loop.requires = #[[LEAST]]
// CHECK: loop.block "scatter"
// CHECK-NOT: arith.addf
// CHECK: arith.select
func.func @graph_scatter_nd(%x: tensor<?x8xf32>, %i: tensor<3x1xi64>, %u: tensor<3x8xf32>) -> tensor<?x8xf32> {
  %r = graph.scatter_nd replace %x, %i, %u : tensor<?x8xf32>, tensor<3x1xi64>, tensor<3x8xf32>
  return %r : tensor<?x8xf32>
}
