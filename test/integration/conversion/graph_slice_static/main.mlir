// Steps, and negative starts and ends.
func.func @main(%x: tensor<5x12xf32>) -> tensor<3x3xf32> {
  %r = graph.slice %x dims = [1, 0] starts = [2, -3] ends = [-1, 9] steps = [3, 1] : tensor<5x12xf32> -> tensor<3x3xf32>
  return %r : tensor<3x3xf32>
}
