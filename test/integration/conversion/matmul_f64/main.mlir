// matmul in f64.
func.func @main(%x0: tensor<3x5xf64>, %x1: tensor<5x2xf64>) -> tensor<3x2xf64> {
  %start_value = arith.constant 0.0 : f64
  %start_empty = tensor.empty() : tensor<3x2xf64>
  %start = linalg.fill ins(%start_value : f64) outs(%start_empty : tensor<3x2xf64>) -> tensor<3x2xf64>
  %r = linalg.matmul ins(%x0, %x1 : tensor<3x5xf64>, tensor<5x2xf64>) outs(%start : tensor<3x2xf64>) -> tensor<3x2xf64>
  return %r : tensor<3x2xf64>
}
