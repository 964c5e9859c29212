// matmul in bf16, rounded after each step.
func.func @main(%x0: tensor<7x13xbf16>, %x1: tensor<13x3xbf16>) -> tensor<7x3xbf16> {
  %start_value = arith.constant 0.0 : bf16
  %start_empty = tensor.empty() : tensor<7x3xbf16>
  %start = linalg.fill ins(%start_value : bf16) outs(%start_empty : tensor<7x3xbf16>) -> tensor<7x3xbf16>
  %r = linalg.matmul ins(%x0, %x1 : tensor<7x13xbf16>, tensor<13x3xbf16>) outs(%start : tensor<7x3xbf16>) -> tensor<7x3xbf16>
  return %r : tensor<7x3xbf16>
}
