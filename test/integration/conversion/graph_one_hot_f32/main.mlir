// Indices of i64 in new dimensions of f32, some beyond the depth.
func.func @main(%i: tensor<?x3xi64>, %on: f32, %off: f32) -> (tensor<?x5x3xf32>, tensor<?x3x1xf32>, tensor<0x?x3xf32>) {
  %r0 = graph.one_hot %i, %on, %off depth = 5 dim = 1 : tensor<?x3xi64>, f32 -> tensor<?x5x3xf32>
  %r1 = graph.one_hot %i, %on, %off depth = 1 dim = 2 : tensor<?x3xi64>, f32 -> tensor<?x3x1xf32>
  %r2 = graph.one_hot %i, %on, %off depth = 0 dim = 0 : tensor<?x3xi64>, f32 -> tensor<0x?x3xf32>
  return %r0, %r1, %r2 : tensor<?x5x3xf32>, tensor<?x3x1xf32>, tensor<0x?x3xf32>
}
