// linalg.elementwise with default maps.
func.func @main(%x0: tensor<7xf32>) -> (tensor<7xf32>, tensor<7xf32>, tensor<7xf32>) {
  %e0 = tensor.empty() : tensor<7xf32>
  %r0 = linalg.elementwise kind=#linalg.elementwise_kind<negf> ins(%x0 : tensor<7xf32>) outs(%e0 : tensor<7xf32>) -> tensor<7xf32>
  %e1 = tensor.empty() : tensor<7xf32>
  %r1 = linalg.elementwise kind=#linalg.elementwise_kind<exp> ins(%x0 : tensor<7xf32>) outs(%e1 : tensor<7xf32>) -> tensor<7xf32>
  %e2 = tensor.empty() : tensor<7xf32>
  %r2 = linalg.elementwise kind=#linalg.elementwise_kind<square> ins(%x0 : tensor<7xf32>) outs(%e2 : tensor<7xf32>) -> tensor<7xf32>
  return %r0, %r1, %r2 : tensor<7xf32>, tensor<7xf32>, tensor<7xf32>
}
