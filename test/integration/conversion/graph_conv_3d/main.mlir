// Three dimensions.
func.func @main(%x: tensor<1x2x4x3x5xf32>, %y: tensor<2x2x2x2x2xf32>) -> tensor<1x2x3x2x4xf32> {
  %r = graph.conv channels_first %x, %y : tensor<1x2x4x3x5xf32>, tensor<2x2x2x2x2xf32> -> tensor<1x2x3x2x4xf32>
  return %r : tensor<1x2x3x2x4xf32>
}
