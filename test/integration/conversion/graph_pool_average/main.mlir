// Without padding.
func.func @main(%x: tensor<1x2x6x5xf32>) -> tensor<1x2x4x3xf32> {
  %r = graph.pool average channels_first %x window = [3, 2] dilations = [1, 2] : tensor<1x2x6x5xf32> -> tensor<1x2x4x3xf32>
  return %r : tensor<1x2x4x3xf32>
}
