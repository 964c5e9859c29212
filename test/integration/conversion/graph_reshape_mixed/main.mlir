// No dimensions correspond.
func.func @main(%x: tensor<4x6xf32>) -> tensor<3x8xf32> {
  %r = graph.reshape %x : tensor<4x6xf32> to tensor<3x8xf32>
  return %r : tensor<3x8xf32>
}
