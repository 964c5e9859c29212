// Slices by indices of i32, some beyond the dimension.
func.func @main(%x: tensor<3x5x2xf32>, %i: tensor<?x2xi32>) -> tensor<3x?x2x2xf32> {
  %r = graph.take %x, %i dim = 1 : tensor<3x5x2xf32>, tensor<?x2xi32> -> tensor<3x?x2x2xf32>
  return %r : tensor<3x?x2x2xf32>
}
