// Updates of elements of i1, some beyond the rows.
func.func @main(%x: tensor<4x5xi1>, %i: tensor<3x?xi64>, %u: tensor<3x?xi1>) -> tensor<1x4x5xi1> {
  %r0 = graph.scatter_elements replace %x, %i, %u dim = 1 : tensor<4x5xi1>, tensor<3x?xi64>, tensor<3x?xi1>
  %r = graph.stack %r0 dim = 0 : tensor<4x5xi1> -> tensor<1x4x5xi1>
  return %r : tensor<1x4x5xi1>
}
