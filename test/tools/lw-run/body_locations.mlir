// The body of a named op has the op's location, which a refusal by a later pass names.
// RUN: not lw-run %s --target sm_80 --compile-to ptx 2>&1 | FileCheck %s
// CHECK: body_locations.mlir:[[#@LINE+3]]:8: error: 'math.exp' op has neither NVPTX code nor an expansion (C8)
func.func @main(%x: tensor<4xf64>) -> tensor<4xf64> {
  %e = tensor.empty() : tensor<4xf64>
  %r = linalg.exp ins(%x : tensor<4xf64>) outs(%e : tensor<4xf64>) -> tensor<4xf64>
  return %r : tensor<4xf64>
}
