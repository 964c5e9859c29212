// Batches and positions whose number is known at run time.
func.func @main(%x: tensor<?x4x?x5xf32>, %w: tensor<3x4x3x3xf32>) -> tensor<?x3x?x3xf32> {
  %r = graph.conv channels_first %x, %w strides = [2, 1] low = [1, 0] high = [1, 0] : tensor<?x4x?x5xf32>, tensor<3x4x3x3xf32> -> tensor<?x3x?x3xf32>
  return %r : tensor<?x3x?x3xf32>
}
