// The numbers of each channel.
func.func @main(%x: tensor<2x3x4x2xf32>, %y: tensor<3xf32>, %z: tensor<3xf32>, %u: tensor<3xf32>, %v: tensor<3xf32>) -> tensor<2x3x4x2xf32> {
  %r = graph.batch_norm %x, %y, %z, %u, %v dim = 1 epsilon = 1.0e-3 : tensor<2x3x4x2xf32>, tensor<3xf32>
  return %r : tensor<2x3x4x2xf32>
}
