// RUN: lw-opt %s --canonicalize --cse --inline | FileCheck %s

// Equal ops are merged and unused ones removed; a fusion group is kept.
// CHECK-LABEL: @main
// CHECK-NEXT: graph.fusion
// CHECK-NEXT: graph.exp %arg0
// CHECK-NEXT: graph.add
// CHECK-NEXT: graph.yield_store
// CHECK-NEXT: graph.yield
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %r = call @group(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}
func.func private @group(%x: tensor<4xf32>) -> tensor<4xf32> {
  %unused = graph.neg %x : tensor<4xf32>
  %f = graph.fusion -> tensor<4xf32> {
    %a = graph.exp %x : tensor<4xf32>
    %b = graph.exp %x : tensor<4xf32>
    %s = graph.add %a, %b : tensor<4xf32>
    %0 = graph.yield_store %s : tensor<4xf32>
    graph.yield %0 : tensor<4xf32>
  }
  return %f : tensor<4xf32>
}

// Ops that change nothing are folded.
// CHECK-LABEL: @unchanged
// CHECK-NEXT: return %arg0
func.func @unchanged(%x: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %0 = graph.cast %x : tensor<4x6xf32> to tensor<4x6xf32>
  %1 = graph.reshape %0 : tensor<4x6xf32> to tensor<4x6xf32>
  %2 = graph.transpose %1 perm = [0, 1] : tensor<4x6xf32> to tensor<4x6xf32>
  return %2 : tensor<4x6xf32>
}
