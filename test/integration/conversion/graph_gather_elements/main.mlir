// One index for each result.
func.func @main(%x: tensor<4x5xf32>, %i: tensor<3x?xi64>) -> tensor<3x?xf32> {
  %r = graph.gather_elements %x, %i dim = 1 : tensor<4x5xf32>, tensor<3x?xi64> -> tensor<3x?xf32>
  return %r : tensor<3x?xf32>
}
