// transpose of rank 3.
func.func @main(%x: tensor<3x7x5xf32>) -> tensor<5x3x7xf32> {
  %e = tensor.empty() : tensor<5x3x7xf32>
  %r = linalg.transpose ins(%x : tensor<3x7x5xf32>) outs(%e : tensor<5x3x7xf32>) permutation = [2, 0, 1]
  return %r : tensor<5x3x7xf32>
}
