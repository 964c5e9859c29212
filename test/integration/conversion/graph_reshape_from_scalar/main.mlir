// One element, with dimensions.
func.func @main(%x: tensor<f32>) -> tensor<1x1xf32> {
  %r = graph.reshape %x : tensor<f32> to tensor<1x1xf32>
  return %r : tensor<1x1xf32>
}
