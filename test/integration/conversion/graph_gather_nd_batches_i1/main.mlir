// Batches of i1.
func.func @main(%x: tensor<?x3x5xi1>, %i: tensor<?x2x1xi64>, %j: tensor<1xi64>) -> (tensor<?x2x5xi1>, tensor<3x5xi1>) {
  %r0 = graph.gather_nd %x, %i batch_dims = 1 : tensor<?x3x5xi1>, tensor<?x2x1xi64> -> tensor<?x2x5xi1>
  %r1 = graph.gather_nd %x, %j : tensor<?x3x5xi1>, tensor<1xi64> -> tensor<3x5xi1>
  return %r0, %r1 : tensor<?x2x5xi1>, tensor<3x5xi1>
}
