ml_program.global private @first(dense<[1.0, 2.0]> : tensor<2xf32>) : tensor<2xf32>
ml_program.global private @second(dense<[5.0, 7.0]> : tensor<2xf32>) : tensor<2xf32>
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %w = ml_program.global_load_const @second : tensor<2xf32>
  %e = tensor.empty() : tensor<2xf32>
  %y = linalg.mul ins(%x, %w : tensor<2xf32>, tensor<2xf32>) outs(%e : tensor<2xf32>) -> tensor<2xf32>
  return %y : tensor<2xf32>
}
