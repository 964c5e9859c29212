// Groups of channels.
func.func @main(%x: tensor<1x4x6x5xf32>, %y: tensor<6x2x3x3xf32>) -> tensor<1x6x4x3xf32> {
  %r = graph.conv channels_first %x, %y groups = 2 : tensor<1x4x6x5xf32>, tensor<6x2x3x3xf32> -> tensor<1x6x4x3xf32>
  return %r : tensor<1x6x4x3xf32>
}
