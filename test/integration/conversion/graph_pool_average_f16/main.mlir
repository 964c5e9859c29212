// Sums of f16 are computed in f32.
func.func @main(%x: tensor<1x2x6x5xf16>) -> tensor<1x2x4x4xf16> {
  %r = graph.pool average channels_first %x window = [3, 2]  : tensor<1x2x6x5xf16> -> tensor<1x2x4x4xf16>
  return %r : tensor<1x2x4x4xf16>
}
