// The updates and the tensor are results of other ops, and the result is used.
func.func @main(%x: tensor<5x3xf32>, %i: tensor<4x1xi64>, %u: tensor<4x3xf32>) -> tensor<5x3xf32> {
  %a = graph.add %x, %x : tensor<5x3xf32>
  %b = graph.neg %u : tensor<4x3xf32>
  %s = graph.scatter_nd add %a, %i, %b : tensor<5x3xf32>, tensor<4x1xi64>, tensor<4x3xf32>
  %r = graph.mul %s, %a : tensor<5x3xf32>
  return %r : tensor<5x3xf32>
}
