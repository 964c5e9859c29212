// Back from tiles.
func.func @main(%x: tensor<2x2x2x4x2xf32>) -> tensor<3x2x6xf32> {
  %r = graph.layout_transform %x dims = [2, 0] tiles = [4, 2] inverse : tensor<2x2x2x4x2xf32> to tensor<3x2x6xf32>
  return %r : tensor<3x2x6xf32>
}
