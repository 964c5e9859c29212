// Softmax of bf16 and its logarithm.
func.func @main(%x: tensor<?x5x3xbf16>) -> (tensor<?x5x3xbf16>, tensor<?x5x3xbf16>) {
  %r0 = graph.softmax %x dim = 1 : tensor<?x5x3xbf16>
  %r1 = graph.log_softmax %x dim = 2 : tensor<?x5x3xbf16>
  return %r0, %r1 : tensor<?x5x3xbf16>, tensor<?x5x3xbf16>
}
