// Splits one dimension and joins two.
func.func @main(%x: tensor<6x2x5xf32>) -> tensor<2x3x10xf32> {
  %r = graph.reshape %x : tensor<6x2x5xf32> to tensor<2x3x10xf32>
  return %r : tensor<2x3x10xf32>
}
