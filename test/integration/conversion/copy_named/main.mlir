// copy, also with a conversion and onto an argument.
func.func @main(%x: tensor<7xf32>, %y: tensor<7xi64>) -> (tensor<7xf32>, tensor<7xi64>) {
  %e = tensor.empty() : tensor<7xf32>
  %a = linalg.copy ins(%x : tensor<7xf32>) outs(%e : tensor<7xf32>) -> tensor<7xf32>
  %b = linalg.copy ins(%x : tensor<7xf32>) outs(%y : tensor<7xi64>) -> tensor<7xi64>
  return %a, %b : tensor<7xf32>, tensor<7xi64>
}
