// All transpositions of the operands.
func.func @main(%x: tensor<5x7xf32>, %y: tensor<3x7xf32>) -> tensor<5x3xf32> {
  %r = graph.matmul %x, %y transpose_b : tensor<5x7xf32>, tensor<3x7xf32> -> tensor<5x3xf32>
  return %r : tensor<5x3xf32>
}
