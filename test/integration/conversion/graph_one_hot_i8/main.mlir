// Indices of i32 in new dimensions of i8, some beyond the depth.
func.func @main(%i: tensor<?x3xi32>, %on: i8, %off: i8) -> (tensor<?x5x3xi8>, tensor<?x3x1xi8>, tensor<0x?x3xi8>) {
  %r0 = graph.one_hot %i, %on, %off depth = 5 dim = 1 : tensor<?x3xi32>, i8 -> tensor<?x5x3xi8>
  %r1 = graph.one_hot %i, %on, %off depth = 1 dim = 2 : tensor<?x3xi32>, i8 -> tensor<?x3x1xi8>
  %r2 = graph.one_hot %i, %on, %off depth = 0 dim = 0 : tensor<?x3xi32>, i8 -> tensor<0x?x3xi8>
  return %r0, %r1, %r2 : tensor<?x5x3xi8>, tensor<?x3x1xi8>, tensor<0x?x3xi8>
}
