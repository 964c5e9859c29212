// Updates of elements of i8, some beyond the rows.
func.func @main(%x: tensor<4x5xi8>, %i: tensor<3x?xi64>, %u: tensor<3x?xi8>) -> tensor<7x4x5xi8> {
  %r0 = graph.scatter_elements replace %x, %i, %u dim = 1 : tensor<4x5xi8>, tensor<3x?xi64>, tensor<3x?xi8>
  %r1 = graph.scatter_elements add %x, %i, %u dim = 1 : tensor<4x5xi8>, tensor<3x?xi64>, tensor<3x?xi8>
  %r2 = graph.scatter_elements mul %x, %i, %u dim = 1 : tensor<4x5xi8>, tensor<3x?xi64>, tensor<3x?xi8>
  %r3 = graph.scatter_elements max %x, %i, %u dim = 1 : tensor<4x5xi8>, tensor<3x?xi64>, tensor<3x?xi8>
  %r4 = graph.scatter_elements min %x, %i, %u dim = 1 : tensor<4x5xi8>, tensor<3x?xi64>, tensor<3x?xi8>
  %r5 = graph.scatter_elements max %x, %i, %u dim = 1 unsigned : tensor<4x5xi8>, tensor<3x?xi64>, tensor<3x?xi8>
  %r6 = graph.scatter_elements min %x, %i, %u dim = 1 unsigned : tensor<4x5xi8>, tensor<3x?xi64>, tensor<3x?xi8>
  %r = graph.stack %r0, %r1, %r2, %r3, %r4, %r5, %r6 dim = 0 : tensor<4x5xi8>, tensor<4x5xi8>, tensor<4x5xi8>, tensor<4x5xi8>, tensor<4x5xi8>, tensor<4x5xi8>, tensor<4x5xi8> -> tensor<7x4x5xi8>
  return %r : tensor<7x4x5xi8>
}
