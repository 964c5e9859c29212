// C = A * B for 512 x 512 matrices of f32. The multiplication and addition may be fused, with one rounding.
func.func @main(%A: tensor<512x512xf32>, %B: tensor<512x512xf32>) -> tensor<512x512xf32>
    attributes {loop.fp = "fast"} {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<512x512xf32>
  %start = linalg.fill ins(%zero : f32) outs(%empty : tensor<512x512xf32>) -> tensor<512x512xf32>
  %C = linalg.matmul ins(%A, %B : tensor<512x512xf32>, tensor<512x512xf32>)
                     outs(%start : tensor<512x512xf32>) -> tensor<512x512xf32>
  return %C : tensor<512x512xf32>
}
