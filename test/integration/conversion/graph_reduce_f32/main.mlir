// Sums, products and limits of f32.
func.func @main(%x: tensor<?x5xf32>) -> (tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>) {
  %r0 = graph.reduce add %x dims = [0]  : tensor<?x5xf32> -> tensor<5xf32>
  %r1 = graph.reduce mul %x dims = [0]  : tensor<?x5xf32> -> tensor<5xf32>
  %r2 = graph.reduce max %x dims = [0]  : tensor<?x5xf32> -> tensor<5xf32>
  %r3 = graph.reduce min %x dims = [0]  : tensor<?x5xf32> -> tensor<5xf32>
  return %r0, %r1, %r2, %r3 : tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>
}
