// collapse_shape of two groups.
func.func @main(%x: tensor<2x3x5x7xf16>) -> tensor<6x35xf16> {
  %r = tensor.collapse_shape %x [[0, 1], [2, 3]] : tensor<2x3x5x7xf16> into tensor<6x35xf16>
  return %r : tensor<6x35xf16>
}
