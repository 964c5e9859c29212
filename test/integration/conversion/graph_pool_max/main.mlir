// A maximum, with NaN.
func.func @main(%x: tensor<1x2x6x5xf32>) -> tensor<1x2x2x4xf32> {
  %r = graph.pool max channels_first %x window = [3, 2] strides = [2, 1] : tensor<1x2x6x5xf32> -> tensor<1x2x2x4xf32>
  return %r : tensor<1x2x2x4xf32>
}
