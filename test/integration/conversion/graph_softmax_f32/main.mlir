// Softmax of f32 and its logarithm.
func.func @main(%x: tensor<?x5x3xf32>) -> (tensor<?x5x3xf32>, tensor<?x5x3xf32>) {
  %r0 = graph.softmax %x dim = 1 : tensor<?x5x3xf32>
  %r1 = graph.log_softmax %x dim = 2 : tensor<?x5x3xf32>
  return %r0, %r1 : tensor<?x5x3xf32>, tensor<?x5x3xf32>
}
