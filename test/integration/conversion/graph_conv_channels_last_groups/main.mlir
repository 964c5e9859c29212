// Groups of channels behind the positions.
func.func @main(%x: tensor<2x6x5x4xf32>, %y: tensor<3x3x2x6xf32>) -> tensor<2x4x3x6xf32> {
  %r = graph.conv channels_last %x, %y groups = 2 : tensor<2x6x5x4xf32>, tensor<3x3x2x6xf32> -> tensor<2x4x3x6xf32>
  return %r : tensor<2x4x3x6xf32>
}
