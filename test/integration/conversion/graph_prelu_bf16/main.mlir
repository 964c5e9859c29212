// A slope of bf16 for each index of a dimension.
func.func @main(%x: tensor<?x3x2xbf16>, %s: tensor<3xbf16>) -> tensor<?x3x2xbf16> {
  %r = graph.prelu %x, %s dim = 1 : tensor<?x3x2xbf16>, tensor<3xbf16>
  return %r : tensor<?x3x2xbf16>
}
