// The logarithms of sums of powers of f64.
func.func @main(%x: tensor<?x5xf64>, %y: tensor<4x3xf64>) -> (tensor<?xf64>, tensor<1x5xf64>, tensor<4xf64>) {
  %r0 = graph.logsumexp %x dims = [1] : tensor<?x5xf64> -> tensor<?xf64>
  %r1 = graph.logsumexp %x dims = [0] keep_dims : tensor<?x5xf64> -> tensor<1x5xf64>
  %r2 = graph.logsumexp %y dims = [1] : tensor<4x3xf64> -> tensor<4xf64>
  return %r0, %r1, %r2 : tensor<?xf64>, tensor<1x5xf64>, tensor<4xf64>
}
