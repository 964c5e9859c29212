// Transpose.
func.func @main(%x: tensor<4096x4096xf32>) -> tensor<4096x4096xf32> {
  %empty = tensor.empty() : tensor<4096x4096xf32>
  %r = linalg.transpose ins(%x : tensor<4096x4096xf32>) outs(%empty : tensor<4096x4096xf32>) permutation = [1, 0]
  return %r : tensor<4096x4096xf32>
}
