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

// The only group of a function stays (C1).
// CHECK-LABEL: func.func @one(
// CHECK: graph.fusion
func.func @one(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = graph.fusion -> tensor<2xf32> {
    %a = math.exp %x : tensor<2xf32>
    %s = graph.yield_store %a : tensor<2xf32>
    graph.yield %s : tensor<2xf32>
  }
  return %0 : tensor<2xf32>
}

// -----

// Sizes are index arguments, and assertions state those of the tensors. Groups are equal if their tensors have the same sizes: the
// last one reads two tensors of different sizes, of which one is twice the other.
// CHECK-LABEL: func.func private @dynamic_exp_add(
// CHECK-SAME: %[[x:.*]]: tensor<?xf32>, %[[y:.*]]: tensor<?xf32>, %[[n:.*]]: index) -> tensor<?xf32> attributes {graph.group} {
// CHECK: %[[found:.*]] = tensor.dim %[[x]], %{{.*}}
// CHECK-NEXT: %[[is_n:.*]] = arith.cmpi eq, %[[found]], %[[n]]
// CHECK-NEXT: cf.assert %[[is_n]], "dimension 0 of argument 0 has the size that the caller states"
// CHECK: %[[found_y:.*]] = tensor.dim %[[y]], %{{.*}}
// CHECK-NEXT: %[[is_y:.*]] = arith.cmpi eq, %[[found_y]], %[[n]]
// CHECK-NEXT: cf.assert %[[is_y]]
// CHECK: math.exp
// CHECK-LABEL: func.func private @dynamic_concat(
// CHECK-LABEL: func.func private @dynamic_concat_1(
// CHECK-SAME: %[[x:.*]]: tensor<?xf32>, %[[y:.*]]: tensor<?xf32>, %[[n:.*]]: index) -> tensor<?xf32>
// CHECK: tensor.dim %[[y]]
// CHECK-NEXT: %[[twice:.*]] = affine.apply #{{.*}}()[%[[n]]]
// CHECK-NEXT: arith.cmpi eq, %{{.*}}, %[[twice]]
// CHECK-LABEL: func.func @dynamic(
// CHECK: %[[size:.*]] = tensor.dim %arg0, %{{.*}}
// CHECK: %[[first:.*]] = call @dynamic_exp_add(%arg0, %arg1, %[[size]])
// CHECK-NEXT: %[[second:.*]] = call @dynamic_exp_add(%[[first]], %arg0, %[[size]])
// CHECK-NEXT: %[[third:.*]] = call @dynamic_concat(%[[first]], %[[second]], %[[size]])
// CHECK-NEXT: call @dynamic_concat_1(%[[first]], %[[third]], %[[size]])
func.func @dynamic(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %0 = graph.fusion -> tensor<?xf32> {
    %e = math.exp %x : tensor<?xf32>
    %a = arith.addf %e, %y : tensor<?xf32>
    %s = graph.yield_store %a : tensor<?xf32>
    graph.yield %s : tensor<?xf32>
  }
  %1 = graph.fusion -> tensor<?xf32> {
    %e = math.exp %0 : tensor<?xf32>
    %a = arith.addf %e, %x : tensor<?xf32>
    %s = graph.yield_store %a : tensor<?xf32>
    graph.yield %s : tensor<?xf32>
  }
  %2 = graph.fusion -> tensor<?xf32> {
    %c = tensor.concat dim(0) %0, %1 : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
    %s = graph.yield_store %c : tensor<?xf32>
    graph.yield %s : tensor<?xf32>
  }
  %3 = graph.fusion -> tensor<?xf32> {
    %c = tensor.concat dim(0) %0, %2 : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
    %s = graph.yield_store %c : tensor<?xf32>
    graph.yield %s : tensor<?xf32>
  }
  return %3 : tensor<?xf32>
}

// -----

// A group whose ops need the size of a tensor that they do not read gets the size alone, which is not negative.
// CHECK-LABEL: func.func private @needed_generate(
// CHECK-SAME: %[[n:[^:]*]]: index) -> tensor<?xf32>
// CHECK: %[[holds:.*]] = arith.cmpi sge, %[[n]], %{{.*}} : index
// CHECK-NEXT: cf.assert %[[holds]], "argument 0 is a size"
// CHECK-NOT: cf.assert
// CHECK: tensor.generate %[[n]]
// CHECK-LABEL: func.func @needed(
// CHECK: %[[size:.*]] = tensor.dim %arg0
// CHECK: call @needed_generate(%[[size]])
func.func @needed(%x: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %0 = graph.fusion -> tensor<?xf32> {
    %e = math.exp %x : tensor<?xf32>
    %s = graph.yield_store %e : tensor<?xf32>
    graph.yield %s : tensor<?xf32>
  }
  %1 = graph.fusion -> tensor<?xf32> {
    %one = arith.constant 1.0 : f32
    %n = tensor.dim %0, %c0 : tensor<?xf32>
    %g = tensor.generate %n {
    ^bb0(%i: index):
      tensor.yield %one : f32
    } : tensor<?xf32>
    %s = graph.yield_store %g : tensor<?xf32>
    graph.yield %s : tensor<?xf32>
  }
  return %0, %1 : tensor<?xf32>, tensor<?xf32>
}

// -----

// A tensor whose size does not follow from those of the arguments stays in its function, and so does an index that is computed
// from data (C2).
// CHECK-LABEL: func.func @unknown(
// CHECK: graph.fusion
// CHECK: graph.fusion
// CHECK-NOT: call @unknown_
func.func private @of_unknown_size(tensor<2xi64>) -> tensor<?xf32>
func.func @unknown(%x: tensor<2xf32>, %places: tensor<2xi64>) -> (tensor<?xf32>, tensor<2xf32>) {
  %c0 = arith.constant 0 : index
  %y = func.call @of_unknown_size(%places) : (tensor<2xi64>) -> tensor<?xf32>
  %0 = graph.fusion -> tensor<?xf32> {
    %e = math.exp %y : tensor<?xf32>
    %s = graph.yield_store %e : tensor<?xf32>
    graph.yield %s : tensor<?xf32>
  }
  %place = tensor.extract %places[%c0] : tensor<2xi64>
  %at = arith.index_cast %place : i64 to index
  %one = arith.constant 1.0 : f32
  %1 = graph.fusion -> tensor<2xf32> {
    %e = tensor.insert %one into %x[%at] : tensor<2xf32>
    %s = graph.yield_store %e : tensor<2xf32>
    graph.yield %s : tensor<2xf32>
  }
  return %0, %1 : tensor<?xf32>, tensor<2xf32>
}
