// collapse_shape from 1x1 to 0-d.
func.func @main(%x: tensor<1x1xf32>) -> tensor<f32> {
  %r = tensor.collapse_shape %x [] : tensor<1x1xf32> into tensor<f32>
  return %r : tensor<f32>
}
