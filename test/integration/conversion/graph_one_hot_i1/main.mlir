// Indices of i64 in new dimensions of i1, some beyond the depth.
func.func @main(%i: tensor<?x3xi64>, %on: i1, %off: i1) -> (tensor<?x5x3xi1>, tensor<?x3x1xi1>, tensor<0x?x3xi1>) {
  %r0 = graph.one_hot %i, %on, %off depth = 5 dim = 1 : tensor<?x3xi64>, i1 -> tensor<?x5x3xi1>
  %r1 = graph.one_hot %i, %on, %off depth = 1 dim = 2 : tensor<?x3xi64>, i1 -> tensor<?x3x1xi1>
  %r2 = graph.one_hot %i, %on, %off depth = 0 dim = 0 : tensor<?x3xi64>, i1 -> tensor<0x?x3xi1>
  return %r0, %r1, %r2 : tensor<?x5x3xi1>, tensor<?x3x1xi1>, tensor<0x?x3xi1>
}
