// Channels behind the positions.
func.func @main(%x: tensor<2x6x5x4xf32>, %y: tensor<3x3x4x3xf32>) -> tensor<2x6x3x3xf32> {
  %r = graph.conv channels_last %x, %y strides = [1, 2] low = [1, 1] high = [1, 1] : tensor<2x6x5x4xf32>, tensor<3x3x4x3xf32> -> tensor<2x6x3x3xf32>
  return %r : tensor<2x6x3x3xf32>
}
