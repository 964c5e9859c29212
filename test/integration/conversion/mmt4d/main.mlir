// A product of tiled matrices.
func.func @main(%x0: tensor<2x3x5x2xf32>, %x1: tensor<2x3x3x2xf32>) -> tensor<2x2x5x3xf32> {
  %start_value = arith.constant 0.0 : f32
  %start_empty = tensor.empty() : tensor<2x2x5x3xf32>
  %start = linalg.fill ins(%start_value : f32) outs(%start_empty : tensor<2x2x5x3xf32>) -> tensor<2x2x5x3xf32>
  %r = linalg.mmt4d ins(%x0, %x1 : tensor<2x3x5x2xf32>, tensor<2x3x3x2xf32>) outs(%start : tensor<2x2x5x3xf32>) -> tensor<2x2x5x3xf32>
  return %r : tensor<2x2x5x3xf32>
}
