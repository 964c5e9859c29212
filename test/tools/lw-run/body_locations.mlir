// The body of a named op has the op's location, which an error at a later phase names. Whole numbers from 0 on: the
// first divisor is 0.
// RUN: not lw-run %s --input ones --input iota --execute loop 2>&1 | FileCheck %s
// RUN: not lw-run %s --input ones --input iota --execute schedule 2>&1 | FileCheck %s
// CHECK: body_locations.mlir:[[#@LINE+3]]:8: error: divides by 0, in "div" at (vi=0)
func.func @main(%x: tensor<4xi32>, %y: tensor<4xi32>) -> tensor<4xi32> {
  %e = tensor.empty() : tensor<4xi32>
  %r = linalg.div ins(%x, %y : tensor<4xi32>, tensor<4xi32>) outs(%e : tensor<4xi32>) -> tensor<4xi32>
  return %r : tensor<4xi32>
}
