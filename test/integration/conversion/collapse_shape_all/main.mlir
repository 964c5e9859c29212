// collapse_shape of all dimensions into one.
func.func @main(%x: tensor<3x7x5xi64>) -> tensor<105xi64> {
  %r = tensor.collapse_shape %x [[0, 1, 2]] : tensor<3x7x5xi64> into tensor<105xi64>
  return %r : tensor<105xi64>
}
