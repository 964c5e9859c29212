// Two dimensions of positions, of static size.
func.func @main(%x: tensor<2x6x3x5xf32>, %y: tensor<6xf32>, %z: tensor<6xf32>) -> tensor<2x6x3x5xf32> {
  %r = graph.group_norm %x, %y, %z groups = 3 epsilon = 1.0e-3 : tensor<2x6x3x5xf32>, tensor<6xf32>
  return %r : tensor<2x6x3x5xf32>
}
