// No elements.
func.func @main(%x: tensor<0x6xf32>) -> tensor<3x0xf32> {
  %r = graph.reshape %x : tensor<0x6xf32> to tensor<3x0xf32>
  return %r : tensor<3x0xf32>
}
