// A row vector times a matrix, which is read once.
func.func @main(%a: tensor<1x4096xf32>, %b: tensor<4096x4096xf32>) -> tensor<1x4096xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<1x4096xf32>
  %z = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x4096xf32>) -> tensor<1x4096xf32>
  %p = linalg.matmul ins(%a, %b : tensor<1x4096xf32>, tensor<4096x4096xf32>) outs(%z : tensor<1x4096xf32>) -> tensor<1x4096xf32>
  return %p : tensor<1x4096xf32>
}
