// Padding on all sides.
func.func @main(%x: tensor<1x4x6x5xf32>, %y: tensor<3x4x3x2xf32>) -> tensor<1x3x7x5xf32> {
  %r = graph.conv channels_first %x, %y low = [1, 0] high = [2, 1] : tensor<1x4x6x5xf32>, tensor<3x4x3x2xf32> -> tensor<1x3x7x5xf32>
  return %r : tensor<1x3x7x5xf32>
}
