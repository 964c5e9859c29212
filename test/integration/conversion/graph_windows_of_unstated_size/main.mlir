// Results whose sizes are known, but not stated.
func.func @main(%x: tensor<1x4x6x5xf32>, %w: tensor<6x2x3x3xf32>) -> (tensor<?x6x?x?xf32>, tensor<1x4x?x?xf32>) {
  %r0 = graph.conv channels_first %x, %w groups = 2 : tensor<1x4x6x5xf32>, tensor<6x2x3x3xf32> -> tensor<?x6x?x?xf32>
  %r1 = graph.pool average channels_first %x window = [3, 2] : tensor<1x4x6x5xf32> -> tensor<1x4x?x?xf32>
  return %r0, %r1 : tensor<?x6x?x?xf32>, tensor<1x4x?x?xf32>
}
