// The logarithms of sums of powers of bf16.
func.func @main(%x: tensor<?x5xbf16>, %y: tensor<4x3xbf16>) -> (tensor<?xbf16>, tensor<1x5xbf16>, tensor<4xbf16>) {
  %r0 = graph.logsumexp %x dims = [1] : tensor<?x5xbf16> -> tensor<?xbf16>
  %r1 = graph.logsumexp %x dims = [0] keep_dims : tensor<?x5xbf16> -> tensor<1x5xbf16>
  %r2 = graph.logsumexp %y dims = [1] : tensor<4x3xbf16> -> tensor<4xbf16>
  return %r0, %r1, %r2 : tensor<?xbf16>, tensor<1x5xbf16>, tensor<4xbf16>
}
