// RUN: lw-opt %s --split-input-file --outline-fusion-groups --verify-diagnostics | FileCheck %s

// Equal groups are one function. A value from outside is an argument, each once; what is yielded is returned.
// CHECK-LABEL: func.func private @two_exp_neg(
// CHECK-SAME: %[[x:.*]]: tensor<4xf32>, %[[y:.*]]: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) attributes {graph.group, loop.fp = "fast"} {
// CHECK-DAG: %[[exp:.*]] = math.exp %[[x]]
// CHECK-DAG: %[[neg:.*]] = arith.negf %[[y]]
// CHECK: return %[[neg]], %[[exp]]
// CHECK-LABEL: func.func private @two_exp(
// CHECK-LABEL: func.func @two(
// CHECK: %[[first:.*]]:2 = call @two_exp_neg(%arg0, %arg1)
// CHECK-NEXT: %[[second:.*]]:2 = call @two_exp_neg(%[[first]]#0, %[[first]]#1)
// CHECK-NEXT: %[[third:.*]] = call @two_exp(%[[second]]#0)
// CHECK-NEXT: return %[[third]], %[[second]]#1
func.func @two(%x: tensor<4xf32>, %y: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) attributes {loop.fp = "fast"} {
  %0:2 = graph.fusion -> tensor<4xf32>, tensor<4xf32> {
    %e = math.exp %x : tensor<4xf32>
    %n = arith.negf %y : tensor<4xf32>
    %s = graph.yield_store %e : tensor<4xf32>
    %t = graph.yield_store %n : tensor<4xf32>
    graph.yield %t, %s : tensor<4xf32>, tensor<4xf32>
  }
  %1:2 = graph.fusion -> tensor<4xf32>, tensor<4xf32> {
    %e = math.exp %0#0 : tensor<4xf32>
    %n = arith.negf %0#1 : tensor<4xf32>
    %s = graph.yield_store %e : tensor<4xf32>
    %t = graph.yield_store %n : tensor<4xf32>
    graph.yield %t, %s : tensor<4xf32>, tensor<4xf32>
  }
  %2 = graph.fusion -> tensor<4xf32> {
    %e = math.exp %1#0 : tensor<4xf32>
    %s = graph.yield_store %e : tensor<4xf32>
    graph.yield %s : tensor<4xf32>
  }
  return %2, %1#1 : tensor<4xf32>, tensor<4xf32>
}

// -----

// Of two groups with equal ops, one reads a weight and the other does not: schedules treat them differently. So they are two
// functions. So are groups that use the same value twice, or two values.
// CHECK-LABEL: func.func private @weights_add(
// CHECK-LABEL: func.func private @weights_add_1(
// CHECK-LABEL: func.func private @weights_add_2(
// CHECK-SAME: %{{[^,]*}}) -> tensor<2xf32>
// CHECK-LABEL: func.func @weights(
// CHECK: %[[w:.*]] = arith.constant
// CHECK: %[[first:.*]] = call @weights_add(%arg0, %[[w]])
// CHECK: %[[second:.*]] = call @weights_add_1(%[[first]], %arg0)
// CHECK: call @weights_add_2(%[[second]])
func.func @weights(%x: tensor<2xf32>) -> tensor<2xf32> {
  %w = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %0 = graph.fusion -> tensor<2xf32> {
    %a = arith.addf %x, %w : tensor<2xf32>
    %s = graph.yield_store %a : tensor<2xf32>
    graph.yield %s : tensor<2xf32>
  }
  %1 = graph.fusion -> tensor<2xf32> {
    %a = arith.addf %0, %x : tensor<2xf32>
    %s = graph.yield_store %a : tensor<2xf32>
    graph.yield %s : tensor<2xf32>
  }
  %2 = graph.fusion -> tensor<2xf32> {
    %a = arith.addf %1, %1 : tensor<2xf32>
    %s = graph.yield_store %a : tensor<2xf32>
    graph.yield %s : tensor<2xf32>
  }
  return %2 : tensor<2xf32>
}

// -----

// The only group of a function (C1), and groups of dynamic size (C2) stay.
// CHECK-LABEL: func.func @one(
// CHECK: graph.fusion
// CHECK-LABEL: func.func @dynamic(
// CHECK: graph.fusion
// CHECK: graph.fusion
// CHECK-NOT: call
func.func @one(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = graph.fusion -> tensor<2xf32> {
    %a = math.exp %x : tensor<2xf32>
    %s = graph.yield_store %a : tensor<2xf32>
    graph.yield %s : tensor<2xf32>
  }
  return %0 : tensor<2xf32>
}
func.func @dynamic(%x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = graph.fusion -> tensor<?xf32> {
    %a = math.exp %x : tensor<?xf32>
    %s = graph.yield_store %a : tensor<?xf32>
    graph.yield %s : tensor<?xf32>
  }
  %1 = graph.fusion -> tensor<?xf32> {
    %a = math.exp %0 : tensor<?xf32>
    %s = graph.yield_store %a : tensor<?xf32>
    graph.yield %s : tensor<?xf32>
  }
  return %1 : tensor<?xf32>
}
