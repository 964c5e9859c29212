// RUN: not lw-opt %s --convert-linalg-to-loop --mlir-print-ir-after-failure 2>&1 | FileCheck %s

// On an error nothing has changed, not even in functions before the faulty one.
// CHECK: error: 'graph.exp' op is not a linalg op
// CHECK: func.func @good(%arg0: tensor<4xf32>) -> tensor<4xf32>
// CHECK-NOT: loop.block
func.func @good(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %e = tensor.empty() : tensor<4xf32>
  %y = linalg.add ins(%x, %c : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
func.func @bad(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = graph.exp %x : tensor<4xf32>
  return %y : tensor<4xf32>
}
