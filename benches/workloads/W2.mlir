// x + y of vectors.
func.func @main(%x: tensor<16777216xf32>, %y: tensor<16777216xf32>) -> tensor<16777216xf32> {
  %empty = tensor.empty() : tensor<16777216xf32>
  %r = linalg.add ins(%x, %y : tensor<16777216xf32>, tensor<16777216xf32>) outs(%empty : tensor<16777216xf32>) -> tensor<16777216xf32>
  return %r : tensor<16777216xf32>
}
