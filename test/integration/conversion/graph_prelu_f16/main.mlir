// A slope of f16 for each index of a dimension.
func.func @main(%x: tensor<?x3x2xf16>, %s: tensor<3xf16>) -> tensor<?x3x2xf16> {
  %r = graph.prelu %x, %s dim = 1 : tensor<?x3x2xf16>, tensor<3xf16>
  return %r : tensor<?x3x2xf16>
}
