// Group and instance norm of f16.
func.func @main(%x: tensor<?x6x?xf16>, %scale: tensor<6xf16>, %bias: tensor<6xf16>) -> (tensor<?x6x?xf16>, tensor<?x6x?xf16>) {
  %r0 = graph.group_norm %x, %scale, %bias groups = 2 epsilon = 1.0e-3 : tensor<?x6x?xf16>, tensor<6xf16>
  %r1 = graph.group_norm %x, %scale, %bias groups = 6 epsilon = 1.0e-3 : tensor<?x6x?xf16>, tensor<6xf16>
  return %r0, %r1 : tensor<?x6x?xf16>, tensor<?x6x?xf16>
}
