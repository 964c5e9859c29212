// All binary named ops on i32.
func.func @main(%x0: tensor<13xi32>, %x1: tensor<13xi32>) -> (tensor<13xi32>, tensor<13xi32>, tensor<13xi32>, tensor<13xi32>, tensor<13xi32>, tensor<13xi32>, tensor<13xi32>) {
  %e0 = tensor.empty() : tensor<13xi32>
  %r0 = linalg.add ins(%x0, %x1 : tensor<13xi32>, tensor<13xi32>) outs(%e0 : tensor<13xi32>) -> tensor<13xi32>
  %e1 = tensor.empty() : tensor<13xi32>
  %r1 = linalg.sub ins(%x0, %x1 : tensor<13xi32>, tensor<13xi32>) outs(%e1 : tensor<13xi32>) -> tensor<13xi32>
  %e2 = tensor.empty() : tensor<13xi32>
  %r2 = linalg.mul ins(%x0, %x1 : tensor<13xi32>, tensor<13xi32>) outs(%e2 : tensor<13xi32>) -> tensor<13xi32>
  %e3 = tensor.empty() : tensor<13xi32>
  %r3 = linalg.div ins(%x0, %x1 : tensor<13xi32>, tensor<13xi32>) outs(%e3 : tensor<13xi32>) -> tensor<13xi32>
  %e4 = tensor.empty() : tensor<13xi32>
  %r4 = linalg.max ins(%x0, %x1 : tensor<13xi32>, tensor<13xi32>) outs(%e4 : tensor<13xi32>) -> tensor<13xi32>
  %e5 = tensor.empty() : tensor<13xi32>
  %r5 = linalg.min ins(%x0, %x1 : tensor<13xi32>, tensor<13xi32>) outs(%e5 : tensor<13xi32>) -> tensor<13xi32>
  %e6 = tensor.empty() : tensor<13xi32>
  %r6 = linalg.div_unsigned ins(%x0, %x1 : tensor<13xi32>, tensor<13xi32>) outs(%e6 : tensor<13xi32>) -> tensor<13xi32>
  return %r0, %r1, %r2, %r3, %r4, %r5, %r6 : tensor<13xi32>, tensor<13xi32>, tensor<13xi32>, tensor<13xi32>, tensor<13xi32>, tensor<13xi32>, tensor<13xi32>
}
