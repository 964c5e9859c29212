// A slope of f64 for each index of a dimension.
func.func @main(%x: tensor<?x3x2xf64>, %s: tensor<3xf64>) -> tensor<?x3x2xf64> {
  %r = graph.prelu %x, %s dim = 1 : tensor<?x3x2xf64>, tensor<3xf64>
  return %r : tensor<?x3x2xf64>
}
