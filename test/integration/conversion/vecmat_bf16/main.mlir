// vecmat in bf16.
func.func @main(%x0: tensor<5xbf16>, %x1: tensor<5x7xbf16>) -> tensor<7xbf16> {
  %start_value = arith.constant 0.0 : bf16
  %start_empty = tensor.empty() : tensor<7xbf16>
  %start = linalg.fill ins(%start_value : bf16) outs(%start_empty : tensor<7xbf16>) -> tensor<7xbf16>
  %r = linalg.vecmat ins(%x0, %x1 : tensor<5xbf16>, tensor<5x7xbf16>) outs(%start : tensor<7xbf16>) -> tensor<7xbf16>
  return %r : tensor<7xbf16>
}
