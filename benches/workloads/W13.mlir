// 12 matrix products, 512 x 64 x 512.
func.func @main(%a: tensor<12x512x64xf32>, %b: tensor<12x64x512xf32>) -> tensor<12x512x512xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<12x512x512xf32>
  %z = linalg.fill ins(%zero : f32) outs(%empty : tensor<12x512x512xf32>) -> tensor<12x512x512xf32>
  %r = linalg.batch_matmul ins(%a, %b : tensor<12x512x64xf32>, tensor<12x64x512xf32>) outs(%z : tensor<12x512x512xf32>) -> tensor<12x512x512xf32>
  return %r : tensor<12x512x512xf32>
}
