// One group for each channel.
func.func @main(%x: tensor<1x4x6x5xf32>, %y: tensor<4x1x3x3xf32>) -> tensor<1x4x6x5xf32> {
  %r = graph.conv channels_first %x, %y low = [1, 1] high = [1, 1] groups = 4 : tensor<1x4x6x5xf32>, tensor<4x1x3x3xf32> -> tensor<1x4x6x5xf32>
  return %r : tensor<1x4x6x5xf32>
}
