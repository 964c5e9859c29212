// Lists of two indices, and of all; some indices are beyond x.
func.func @main(%x: tensor<4x3x2xf32>, %i: tensor<?x2xi64>, %j: tensor<2x3xi32>) -> (tensor<?x2xf32>, tensor<2xf32>) {
  %r0 = graph.gather_nd %x, %i : tensor<4x3x2xf32>, tensor<?x2xi64> -> tensor<?x2xf32>
  %r1 = graph.gather_nd %x, %j : tensor<4x3x2xf32>, tensor<2x3xi32> -> tensor<2xf32>
  return %r0, %r1 : tensor<?x2xf32>, tensor<2xf32>
}
