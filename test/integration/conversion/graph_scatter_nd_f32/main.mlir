// Updates of slices and of elements of f32.
func.func @main(%x: tensor<4x3x2xf32>, %i: tensor<?x1xi64>, %u: tensor<?x3x2xf32>, %j: tensor<2x3x3xi32>, %v: tensor<2x3xf32>) -> (tensor<4x3x2xf32>, tensor<4x3x2xf32>, tensor<4x3x2xf32>) {
  %r0 = graph.scatter_nd replace %x, %i, %u : tensor<4x3x2xf32>, tensor<?x1xi64>, tensor<?x3x2xf32>
  %r1 = graph.scatter_nd add %x, %i, %u : tensor<4x3x2xf32>, tensor<?x1xi64>, tensor<?x3x2xf32>
  %r2 = graph.scatter_nd max %x, %j, %v : tensor<4x3x2xf32>, tensor<2x3x3xi32>, tensor<2x3xf32>
  return %r0, %r1, %r2 : tensor<4x3x2xf32>, tensor<4x3x2xf32>, tensor<4x3x2xf32>
}
