// Tiles of two dimensions, the last ones filled with zeros.
func.func @main(%x: tensor<3x2x6xf32>) -> tensor<2x2x2x4x2xf32> {
  %r = graph.layout_transform %x dims = [2, 0] tiles = [4, 2] : tensor<3x2x6xf32> to tensor<2x2x2x4x2xf32>
  return %r : tensor<2x2x2x4x2xf32>
}
