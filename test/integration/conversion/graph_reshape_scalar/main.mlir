// One element without dimensions.
func.func @main(%x: tensor<1x1xf32>) -> tensor<f32> {
  %r = graph.reshape %x : tensor<1x1xf32> to tensor<f32>
  return %r : tensor<f32>
}
