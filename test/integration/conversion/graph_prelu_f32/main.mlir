// A slope of f32 for each index of a dimension.
func.func @main(%x: tensor<?x3x2xf32>, %s: tensor<3xf32>) -> tensor<?x3x2xf32> {
  %r = graph.prelu %x, %s dim = 1 : tensor<?x3x2xf32>, tensor<3xf32>
  return %r : tensor<?x3x2xf32>
}
