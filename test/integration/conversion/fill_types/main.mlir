// fills of several types that are returned directly; one is dynamic.
func.func @main(%n: index) -> (tensor<3xf16>, tensor<3xi1>, tensor<?xi64>, tensor<bf16>) {
  %a_value = arith.constant 1.5 : f16
  %a_empty = tensor.empty() : tensor<3xf16>
  %a = linalg.fill ins(%a_value : f16) outs(%a_empty : tensor<3xf16>) -> tensor<3xf16>
  %b_value = arith.constant true
  %b_empty = tensor.empty() : tensor<3xi1>
  %b = linalg.fill ins(%b_value : i1) outs(%b_empty : tensor<3xi1>) -> tensor<3xi1>
  %c_value = arith.constant -7 : i64
  %c_empty = tensor.empty(%n) : tensor<?xi64>
  %c = linalg.fill ins(%c_value : i64) outs(%c_empty : tensor<?xi64>) -> tensor<?xi64>
  %d_value = arith.constant 0xFF80 : bf16
  %d_empty = tensor.empty() : tensor<bf16>
  %d = linalg.fill ins(%d_value : bf16) outs(%d_empty : tensor<bf16>) -> tensor<bf16>
  return %a, %b, %c, %d : tensor<3xf16>, tensor<3xi1>, tensor<?xi64>, tensor<bf16>
}
