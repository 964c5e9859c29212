// Mean, variance and standard deviation of f32.
func.func @main(%x: tensor<?x?xf32>) -> (tensor<?xf32>, tensor<?x1xf32>, tensor<?xf32>, tensor<f32>) {
  %r0 = graph.mean %x dims = [1] : tensor<?x?xf32> -> tensor<?xf32>
  %r1 = graph.variance %x dims = [1] keep_dims : tensor<?x?xf32> -> tensor<?x1xf32>
  %r2 = graph.std %x dims = [1] {correction = 1} : tensor<?x?xf32> -> tensor<?xf32>
  %r3 = graph.mean %x dims = [0, 1] : tensor<?x?xf32> -> tensor<f32>
  return %r0, %r1, %r2, %r3 : tensor<?xf32>, tensor<?x1xf32>, tensor<?xf32>, tensor<f32>
}
