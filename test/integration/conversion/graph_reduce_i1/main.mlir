// All and any.
func.func @main(%x: tensor<?x5xi1>) -> (tensor<5xi1>, tensor<1x5xi1>) {
  %r0 = graph.reduce and %x dims = [0] : tensor<?x5xi1> -> tensor<5xi1>
  %r1 = graph.reduce or %x dims = [0] keep_dims : tensor<?x5xi1> -> tensor<1x5xi1>
  return %r0, %r1 : tensor<5xi1>, tensor<1x5xi1>
}
