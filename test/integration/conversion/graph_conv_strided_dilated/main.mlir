// Strides and dilations.
func.func @main(%x: tensor<1x4x6x5xf32>, %y: tensor<3x4x3x2xf32>) -> tensor<1x3x2x3xf32> {
  %r = graph.conv channels_first %x, %y strides = [2, 1] dilations = [1, 2] : tensor<1x4x6x5xf32>, tensor<3x4x3x2xf32> -> tensor<1x3x2x3xf32>
  return %r : tensor<1x3x2x3xf32>
}
