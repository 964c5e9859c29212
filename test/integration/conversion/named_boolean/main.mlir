// Binary named ops on i1: add is or, mul is and, max and min treat true as -1.
func.func @main(%x0: tensor<4xi1>, %x1: tensor<4xi1>) -> (tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>) {
  %e0 = tensor.empty() : tensor<4xi1>
  %r0 = linalg.add ins(%x0, %x1 : tensor<4xi1>, tensor<4xi1>) outs(%e0 : tensor<4xi1>) -> tensor<4xi1>
  %e1 = tensor.empty() : tensor<4xi1>
  %r1 = linalg.mul ins(%x0, %x1 : tensor<4xi1>, tensor<4xi1>) outs(%e1 : tensor<4xi1>) -> tensor<4xi1>
  %e2 = tensor.empty() : tensor<4xi1>
  %r2 = linalg.max ins(%x0, %x1 : tensor<4xi1>, tensor<4xi1>) outs(%e2 : tensor<4xi1>) -> tensor<4xi1>
  %e3 = tensor.empty() : tensor<4xi1>
  %r3 = linalg.min ins(%x0, %x1 : tensor<4xi1>, tensor<4xi1>) outs(%e3 : tensor<4xi1>) -> tensor<4xi1>
  return %r0, %r1, %r2, %r3 : tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>
}
