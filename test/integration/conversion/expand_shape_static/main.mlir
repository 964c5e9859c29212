// expand_shape of two groups.
func.func @main(%x: tensor<6x35xf32>) -> tensor<2x3x5x7xf32> {
  %r = tensor.expand_shape %x [[0, 1], [2, 3]] output_shape [2, 3, 5, 7] : tensor<6x35xf32> into tensor<2x3x5x7xf32>
  return %r : tensor<2x3x5x7xf32>
}
