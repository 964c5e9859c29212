// The sum of all elements.
func.func @main(%x: tensor<16777216xf32>) -> tensor<f32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<f32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<f32>) -> tensor<f32>
  %sum = linalg.reduce { arith.addf } ins(%x : tensor<16777216xf32>) outs(%z : tensor<f32>) dimensions = [0]
  return %sum : tensor<f32>
}
