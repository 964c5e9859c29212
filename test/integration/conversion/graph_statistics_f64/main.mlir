// Mean, variance and standard deviation of f64.
func.func @main(%x: tensor<?x?xf64>) -> (tensor<?xf64>, tensor<?x1xf64>, tensor<?xf64>, tensor<f64>) {
  %r0 = graph.mean %x dims = [1] : tensor<?x?xf64> -> tensor<?xf64>
  %r1 = graph.variance %x dims = [1] keep_dims : tensor<?x?xf64> -> tensor<?x1xf64>
  %r2 = graph.std %x dims = [1] {correction = 1} : tensor<?x?xf64> -> tensor<?xf64>
  %r3 = graph.mean %x dims = [0, 1] : tensor<?x?xf64> -> tensor<f64>
  return %r0, %r1, %r2, %r3 : tensor<?xf64>, tensor<?x1xf64>, tensor<?xf64>, tensor<f64>
}
