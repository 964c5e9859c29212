// Dimensions of size 1.
func.func @main(%x: tensor<1x6x1xf32>) -> tensor<6x1x1x1xf32> {
  %r = graph.reshape %x : tensor<1x6x1xf32> to tensor<6x1x1x1xf32>
  return %r : tensor<6x1x1x1xf32>
}
