// expand, transpose, collapse: the result is not a reshape of the input.
func.func @main(%x: tensor<6x5xf32>) -> tensor<3x10xf32> {
  %a = tensor.expand_shape %x [[0, 1], [2]] output_shape [2, 3, 5] : tensor<6x5xf32> into tensor<2x3x5xf32>
  %e = tensor.empty() : tensor<3x2x5xf32>
  %b = linalg.transpose ins(%a : tensor<2x3x5xf32>) outs(%e : tensor<3x2x5xf32>) permutation = [1, 0, 2]
  %r = tensor.collapse_shape %b [[0], [1, 2]] : tensor<3x2x5xf32> into tensor<3x10xf32>
  return %r : tensor<3x10xf32>
}
