// RUN: lw-opt %s | FileCheck %s
// RUN: lw-opt %s | lw-opt | FileCheck %s
// RUN: lw-opt %s --mlir-print-op-generic | lw-opt | FileCheck %s
// RUN: lw-opt %s --emit-bytecode | lw-opt | FileCheck %s

// CHECK-LABEL: @elementwise
func.func @elementwise(%x: tensor<?x3xf32>, %y: tensor<?x3xf32>) -> tensor<?x3xf32> {
  // CHECK: graph.add %arg0, %arg1 : tensor<?x3xf32>
  %0 = graph.add %x, %y : tensor<?x3xf32>
  // CHECK: graph.sub
  %1 = graph.sub %0, %y : tensor<?x3xf32>
  // CHECK: graph.mul
  %2 = graph.mul %1, %y : tensor<?x3xf32>
  // CHECK: graph.div
  %3 = graph.div %2, %y : tensor<?x3xf32>
  // CHECK: graph.max
  %4 = graph.max %3, %y : tensor<?x3xf32>
  // CHECK: graph.min
  %5 = graph.min %4, %y : tensor<?x3xf32>
  // CHECK: graph.exp %{{.*}} : tensor<?x3xf32>
  %6 = graph.exp %5 : tensor<?x3xf32>
  // CHECK: graph.neg
  %7 = graph.neg %6 : tensor<?x3xf32>
  // CHECK: graph.relu
  %8 = graph.relu %7 : tensor<?x3xf32>
  return %8 : tensor<?x3xf32>
}

// CHECK-LABEL: @others
func.func @others(%a: tensor<2x3xi32>, %b: tensor<4x3xi32>, %v: tensor<3xf16>, %n: index) -> tensor<2xi32> {
  // CHECK: graph.constant dense<[1, 2]> : tensor<2xi32>
  %c = graph.constant dense<[1, 2]> : tensor<2xi32>
  // CHECK: graph.matmul %arg0, %arg1 transpose_b : tensor<2x3xi32>, tensor<4x3xi32> -> tensor<2x4xi32>
  %m = graph.matmul %a, %b transpose_b : tensor<2x3xi32>, tensor<4x3xi32> -> tensor<2x4xi32>
  // CHECK: graph.reduce max %{{.*}} dims = [1] : tensor<2x4xi32> -> tensor<2xi32>
  %r = graph.reduce max %m dims = [1] : tensor<2x4xi32> -> tensor<2xi32>
  // CHECK: graph.reduce add %{{.*}} dims = [0, 1] keep_dims : tensor<2x4xi32> -> tensor<1x1xi32>
  %k = graph.reduce add %m dims = [0, 1] keep_dims : tensor<2x4xi32> -> tensor<1x1xi32>
  // CHECK: graph.broadcast %{{.*}} dims = [1] sizes(%arg3) : tensor<3xf16> to tensor<?x3xf16>
  %w = graph.broadcast %v dims = [1] sizes(%n) : tensor<3xf16> to tensor<?x3xf16>
  // CHECK: graph.transpose %{{.*}} perm = [1, 0] : tensor<?x3xf16> to tensor<3x?xf16>
  %t = graph.transpose %w perm = [1, 0] : tensor<?x3xf16> to tensor<3x?xf16>
  // CHECK: graph.fusion -> tensor<2xi32>, tensor<2xi32> {
  // CHECK: graph.yield_store
  // CHECK: graph.yield %{{.*}}, %{{.*}} : tensor<2xi32>, tensor<2xi32>
  %f:2 = graph.fusion -> tensor<2xi32>, tensor<2xi32> {
    %s = graph.add %r, %c : tensor<2xi32>
    %0 = graph.yield_store %s : tensor<2xi32>
    %1 = graph.yield_store %r : tensor<2xi32>
    graph.yield %0, %1 : tensor<2xi32>, tensor<2xi32>
  }
  return %f#0 : tensor<2xi32>
}
