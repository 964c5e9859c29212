// Updates of elements of i32, some beyond the rows.
func.func @main(%x: tensor<4x5xi32>, %i: tensor<3x?xi64>, %u: tensor<3x?xi32>) -> tensor<7x4x5xi32> {
  %r0 = graph.scatter_elements replace %x, %i, %u dim = 1 : tensor<4x5xi32>, tensor<3x?xi64>, tensor<3x?xi32>
  %r1 = graph.scatter_elements add %x, %i, %u dim = 1 : tensor<4x5xi32>, tensor<3x?xi64>, tensor<3x?xi32>
  %r2 = graph.scatter_elements mul %x, %i, %u dim = 1 : tensor<4x5xi32>, tensor<3x?xi64>, tensor<3x?xi32>
  %r3 = graph.scatter_elements max %x, %i, %u dim = 1 : tensor<4x5xi32>, tensor<3x?xi64>, tensor<3x?xi32>
  %r4 = graph.scatter_elements min %x, %i, %u dim = 1 : tensor<4x5xi32>, tensor<3x?xi64>, tensor<3x?xi32>
  %r5 = graph.scatter_elements max %x, %i, %u dim = 1 unsigned : tensor<4x5xi32>, tensor<3x?xi64>, tensor<3x?xi32>
  %r6 = graph.scatter_elements min %x, %i, %u dim = 1 unsigned : tensor<4x5xi32>, tensor<3x?xi64>, tensor<3x?xi32>
  %r = graph.stack %r0, %r1, %r2, %r3, %r4, %r5, %r6 dim = 0 : tensor<4x5xi32>, tensor<4x5xi32>, tensor<4x5xi32>, tensor<4x5xi32>, tensor<4x5xi32>, tensor<4x5xi32>, tensor<4x5xi32> -> tensor<7x4x5xi32>
  return %r : tensor<7x4x5xi32>
}
