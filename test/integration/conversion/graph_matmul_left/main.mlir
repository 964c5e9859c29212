// All transpositions of the operands.
func.func @main(%x: tensor<7x5xf32>, %y: tensor<7x3xf32>) -> tensor<5x3xf32> {
  %r = graph.matmul %x, %y transpose_a : tensor<7x5xf32>, tensor<7x3xf32> -> tensor<5x3xf32>
  return %r : tensor<5x3xf32>
}
