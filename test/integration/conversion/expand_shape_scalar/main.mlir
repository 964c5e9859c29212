// expand_shape from 0-d to 1x1.
func.func @main(%x: tensor<f32>) -> tensor<1x1xf32> {
  %r = tensor.expand_shape %x [] output_shape [1, 1] : tensor<f32> into tensor<1x1xf32>
  return %r : tensor<1x1xf32>
}
