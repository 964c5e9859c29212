// The logarithms of sums of powers of f32.
func.func @main(%x: tensor<?x5xf32>, %y: tensor<4x3xf32>) -> (tensor<?xf32>, tensor<1x5xf32>, tensor<4xf32>) {
  %r0 = graph.logsumexp %x dims = [1] : tensor<?x5xf32> -> tensor<?xf32>
  %r1 = graph.logsumexp %x dims = [0] keep_dims : tensor<?x5xf32> -> tensor<1x5xf32>
  %r2 = graph.logsumexp %y dims = [1] : tensor<4x3xf32> -> tensor<4xf32>
  return %r0, %r1, %r2 : tensor<?xf32>, tensor<1x5xf32>, tensor<4xf32>
}
