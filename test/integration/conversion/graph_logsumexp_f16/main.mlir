// The logarithms of sums of powers of f16.
func.func @main(%x: tensor<?x5xf16>, %y: tensor<4x3xf16>) -> (tensor<?xf16>, tensor<1x5xf16>, tensor<4xf16>) {
  %r0 = graph.logsumexp %x dims = [1] : tensor<?x5xf16> -> tensor<?xf16>
  %r1 = graph.logsumexp %x dims = [0] keep_dims : tensor<?x5xf16> -> tensor<1x5xf16>
  %r2 = graph.logsumexp %y dims = [1] : tensor<4x3xf16> -> tensor<4xf16>
  return %r0, %r1, %r2 : tensor<?xf16>, tensor<1x5xf16>, tensor<4xf16>
}
