// Batches of bf16.
func.func @main(%x: tensor<?x3x5xbf16>, %i: tensor<?x2x1xi64>, %j: tensor<1xi64>) -> (tensor<?x2x5xbf16>, tensor<3x5xbf16>) {
  %r0 = graph.gather_nd %x, %i batch_dims = 1 : tensor<?x3x5xbf16>, tensor<?x2x1xi64> -> tensor<?x2x5xbf16>
  %r1 = graph.gather_nd %x, %j : tensor<?x3x5xbf16>, tensor<1xi64> -> tensor<3x5xbf16>
  return %r0, %r1 : tensor<?x2x5xbf16>, tensor<3x5xbf16>
}
