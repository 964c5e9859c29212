// conv_1d.
func.func @main(%x0: tensor<13xf32>, %x1: tensor<3xf32>) -> tensor<11xf32> {
  %start_value = arith.constant 0.0 : f32
  %start_empty = tensor.empty() : tensor<11xf32>
  %start = linalg.fill ins(%start_value : f32) outs(%start_empty : tensor<11xf32>) -> tensor<11xf32>
  %r = linalg.conv_1d ins(%x0, %x1 : tensor<13xf32>, tensor<3xf32>) outs(%start : tensor<11xf32>) -> tensor<11xf32>
  return %r : tensor<11xf32>
}
