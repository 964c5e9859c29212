// A softmax of a single row is one group: the reductions, which have one result, share the loop over this row.
// RUN: lw-opt %s --pass-pipeline='builtin.module(func.func(convert-graph-to-linalg,decompose-composite-ops,graph-fuse-ops))' \
// RUN:   | FileCheck %s
// CHECK-LABEL: func.func @main(
// CHECK:       graph.fusion
// CHECK-NOT:   graph.fusion
// CHECK:       return
func.func @main(%x: tensor<1x4096xf32>) -> tensor<1x4096xf32> {
  %y = graph.softmax %x dim = 1 : tensor<1x4096xf32>
  return %y : tensor<1x4096xf32>
}
