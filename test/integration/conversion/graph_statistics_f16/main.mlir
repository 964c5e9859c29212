// Mean, variance and standard deviation of f16.
func.func @main(%x: tensor<?x?xf16>) -> (tensor<?xf16>, tensor<?x1xf16>, tensor<?xf16>, tensor<f16>) {
  %r0 = graph.mean %x dims = [1] : tensor<?x?xf16> -> tensor<?xf16>
  %r1 = graph.variance %x dims = [1] keep_dims : tensor<?x?xf16> -> tensor<?x1xf16>
  %r2 = graph.std %x dims = [1] {correction = 1} : tensor<?x?xf16> -> tensor<?xf16>
  %r3 = graph.mean %x dims = [0, 1] : tensor<?x?xf16> -> tensor<f16>
  return %r0, %r1, %r2, %r3 : tensor<?xf16>, tensor<?x1xf16>, tensor<?xf16>, tensor<f16>
}
