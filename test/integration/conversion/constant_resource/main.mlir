// Weights in dense_resource are an operand of a matmul; others are returned.
func.func @main(%x: tensor<7x5xf32>) -> (tensor<7x3xf32>, tensor<3xi64>, tensor<3xi1>, tensor<2x3xf16>) {
  %w = arith.constant dense_resource<weights> : tensor<5x3xf32>
  %ids = arith.constant dense_resource<ids> : tensor<3xi64>
  %mask = arith.constant dense_resource<mask> : tensor<3xi1>
  %h = arith.constant dense_resource<halves> : tensor<2x3xf16>
  %zero_value = arith.constant 0.0 : f32
  %zero_empty = tensor.empty() : tensor<7x3xf32>
  %zero = linalg.fill ins(%zero_value : f32) outs(%zero_empty : tensor<7x3xf32>) -> tensor<7x3xf32>
  %r = linalg.matmul ins(%x, %w : tensor<7x5xf32>, tensor<5x3xf32>) outs(%zero : tensor<7x3xf32>) -> tensor<7x3xf32>
  return %r, %ids, %mask, %h : tensor<7x3xf32>, tensor<3xi64>, tensor<3xi1>, tensor<2x3xf16>
}
{-#
  dialect_resources: {
    builtin: {
      weights: "0x040000001feed8bf84518f3f9a467cbe0ed4643f0bbbf43fd9ad1d3e86dc923b1d1cdbbf551e6dbfe469f6b91188373faf839b3f23d5f3be973ddebf5cf058bf",
      ids: "0x080000000500000000000000ffffffffffffffff0000000000010000",
      mask: "0x01000000010001",
      halves: "0x02000000003e00c00034007e0080ff7b"
    }
  }
#-}
