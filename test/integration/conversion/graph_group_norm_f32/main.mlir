// Group and instance norm of f32.
func.func @main(%x: tensor<?x6x?xf32>, %scale: tensor<6xf32>, %bias: tensor<6xf32>) -> (tensor<?x6x?xf32>, tensor<?x6x?xf32>) {
  %r0 = graph.group_norm %x, %scale, %bias groups = 2 epsilon = 1.0e-3 : tensor<?x6x?xf32>, tensor<6xf32>
  %r1 = graph.group_norm %x, %scale, %bias groups = 6 epsilon = 1.0e-3 : tensor<?x6x?xf32>, tensor<6xf32>
  return %r0, %r1 : tensor<?x6x?xf32>, tensor<?x6x?xf32>
}
