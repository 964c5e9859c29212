// expand_shape: unit sizes appear at both ends and inside.
func.func @main(%x: tensor<7x5xi8>) -> tensor<1x7x1x5x1xi8> {
  %r = tensor.expand_shape %x [[0, 1, 2], [3, 4]] output_shape [1, 7, 1, 5, 1] : tensor<7x5xi8> into tensor<1x7x1x5x1xi8>
  return %r : tensor<1x7x1x5x1xi8>
}
