// Mean, variance and standard deviation of bf16.
func.func @main(%x: tensor<?x?xbf16>) -> (tensor<?xbf16>, tensor<?x1xbf16>, tensor<?xbf16>, tensor<bf16>) {
  %r0 = graph.mean %x dims = [1] : tensor<?x?xbf16> -> tensor<?xbf16>
  %r1 = graph.variance %x dims = [1] keep_dims : tensor<?x?xbf16> -> tensor<?x1xbf16>
  %r2 = graph.std %x dims = [1] {correction = 1} : tensor<?x?xbf16> -> tensor<?xbf16>
  %r3 = graph.mean %x dims = [0, 1] : tensor<?x?xbf16> -> tensor<bf16>
  return %r0, %r1, %r2, %r3 : tensor<?xbf16>, tensor<?x1xbf16>, tensor<?xbf16>, tensor<bf16>
}
