// One number for each channel.
func.func @main(%x: tensor<2x3x4xf32>, %y: tensor<3xf32>) -> tensor<2x3x4xf32> {
  %r = graph.bias_add %x, %y dim = 1 : tensor<2x3x4xf32>, tensor<3xf32>
  return %r : tensor<2x3x4xf32>
}
