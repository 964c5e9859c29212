// Padding does not count.
func.func @main(%x: tensor<1x2x6x5xf32>) -> tensor<1x2x3x3xf32> {
  %r = graph.pool average channels_first %x window = [3, 2] strides = [2, 2] low = [1, 1] high = [1, 0] : tensor<1x2x6x5xf32> -> tensor<1x2x3x3xf32>
  return %r : tensor<1x2x3x3xf32>
}
