// matmul that extends f16 to f32.
func.func @main(%x0: tensor<7x5xf16>, %x1: tensor<5x3xf16>) -> tensor<7x3xf32> {
  %start_value = arith.constant 0.0 : f32
  %start_empty = tensor.empty() : tensor<7x3xf32>
  %start = linalg.fill ins(%start_value : f32) outs(%start_empty : tensor<7x3xf32>) -> tensor<7x3xf32>
  %r = linalg.matmul ins(%x0, %x1 : tensor<7x5xf16>, tensor<5x3xf16>) outs(%start : tensor<7x3xf32>) -> tensor<7x3xf32>
  return %r : tensor<7x3xf32>
}
