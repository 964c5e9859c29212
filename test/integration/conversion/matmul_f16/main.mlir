// matmul in f16, rounded after each step.
func.func @main(%x0: tensor<7x13xf16>, %x1: tensor<13x3xf16>) -> tensor<7x3xf16> {
  %start_value = arith.constant 0.0 : f16
  %start_empty = tensor.empty() : tensor<7x3xf16>
  %start = linalg.fill ins(%start_value : f16) outs(%start_empty : tensor<7x3xf16>) -> tensor<7x3xf16>
  %r = linalg.matmul ins(%x0, %x1 : tensor<7x13xf16>, tensor<13x3xf16>) outs(%start : tensor<7x3xf16>) -> tensor<7x3xf16>
  return %r : tensor<7x3xf16>
}
