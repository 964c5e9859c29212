// The first index wins; NaN is never the best.
func.func @main(%x: tensor<?x4xf32>) -> (tensor<?xi64>, tensor<?x1xi32>) {
  %r0 = graph.argmax %x dim = 1 : tensor<?x4xf32> -> tensor<?xi64>
  %r1 = graph.argmin %x dim = 1 keep_dims : tensor<?x4xf32> -> tensor<?x1xi32>
  return %r0, %r1 : tensor<?xi64>, tensor<?x1xi32>
}
