// dot into a 0-d result.
func.func @main(%x0: tensor<13xf16>, %x1: tensor<13xf16>) -> tensor<f16> {
  %start_value = arith.constant 0.0 : f16
  %start_empty = tensor.empty() : tensor<f16>
  %start = linalg.fill ins(%start_value : f16) outs(%start_empty : tensor<f16>) -> tensor<f16>
  %r = linalg.dot ins(%x0, %x1 : tensor<13xf16>, tensor<13xf16>) outs(%start : tensor<f16>) -> tensor<f16>
  return %r : tensor<f16>
}
