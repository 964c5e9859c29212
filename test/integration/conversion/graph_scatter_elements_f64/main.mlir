// Updates of elements of f64, some beyond the rows.
func.func @main(%x: tensor<4x5xf64>, %i: tensor<3x?xi64>, %u: tensor<3x?xf64>) -> tensor<5x4x5xf64> {
  %r0 = graph.scatter_elements replace %x, %i, %u dim = 1 : tensor<4x5xf64>, tensor<3x?xi64>, tensor<3x?xf64>
  %r1 = graph.scatter_elements add %x, %i, %u dim = 1 : tensor<4x5xf64>, tensor<3x?xi64>, tensor<3x?xf64>
  %r2 = graph.scatter_elements mul %x, %i, %u dim = 1 : tensor<4x5xf64>, tensor<3x?xi64>, tensor<3x?xf64>
  %r3 = graph.scatter_elements max %x, %i, %u dim = 1 : tensor<4x5xf64>, tensor<3x?xi64>, tensor<3x?xf64>
  %r4 = graph.scatter_elements min %x, %i, %u dim = 1 : tensor<4x5xf64>, tensor<3x?xi64>, tensor<3x?xf64>
  %r = graph.stack %r0, %r1, %r2, %r3, %r4 dim = 0 : tensor<4x5xf64>, tensor<4x5xf64>, tensor<4x5xf64>, tensor<4x5xf64>, tensor<4x5xf64> -> tensor<5x4x5xf64>
  return %r : tensor<5x4x5xf64>
}
