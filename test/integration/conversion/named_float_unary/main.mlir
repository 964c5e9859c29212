// All unary named ops on f32.
func.func @main(%x0: tensor<13xf32>) -> (tensor<13xf32>, tensor<13xf32>, tensor<13xf32>, tensor<13xf32>, tensor<13xf32>, tensor<13xf32>, tensor<13xf32>, tensor<13xf32>, tensor<13xf32>, tensor<13xf32>, tensor<13xf32>, tensor<13xf32>, tensor<13xf32>) {
  %e0 = tensor.empty() : tensor<13xf32>
  %r0 = linalg.exp ins(%x0 : tensor<13xf32>) outs(%e0 : tensor<13xf32>) -> tensor<13xf32>
  %e1 = tensor.empty() : tensor<13xf32>
  %r1 = linalg.log ins(%x0 : tensor<13xf32>) outs(%e1 : tensor<13xf32>) -> tensor<13xf32>
  %e2 = tensor.empty() : tensor<13xf32>
  %r2 = linalg.abs ins(%x0 : tensor<13xf32>) outs(%e2 : tensor<13xf32>) -> tensor<13xf32>
  %e3 = tensor.empty() : tensor<13xf32>
  %r3 = linalg.ceil ins(%x0 : tensor<13xf32>) outs(%e3 : tensor<13xf32>) -> tensor<13xf32>
  %e4 = tensor.empty() : tensor<13xf32>
  %r4 = linalg.floor ins(%x0 : tensor<13xf32>) outs(%e4 : tensor<13xf32>) -> tensor<13xf32>
  %e5 = tensor.empty() : tensor<13xf32>
  %r5 = linalg.negf ins(%x0 : tensor<13xf32>) outs(%e5 : tensor<13xf32>) -> tensor<13xf32>
  %e6 = tensor.empty() : tensor<13xf32>
  %r6 = linalg.reciprocal ins(%x0 : tensor<13xf32>) outs(%e6 : tensor<13xf32>) -> tensor<13xf32>
  %e7 = tensor.empty() : tensor<13xf32>
  %r7 = linalg.round ins(%x0 : tensor<13xf32>) outs(%e7 : tensor<13xf32>) -> tensor<13xf32>
  %e8 = tensor.empty() : tensor<13xf32>
  %r8 = linalg.sqrt ins(%x0 : tensor<13xf32>) outs(%e8 : tensor<13xf32>) -> tensor<13xf32>
  %e9 = tensor.empty() : tensor<13xf32>
  %r9 = linalg.rsqrt ins(%x0 : tensor<13xf32>) outs(%e9 : tensor<13xf32>) -> tensor<13xf32>
  %e10 = tensor.empty() : tensor<13xf32>
  %r10 = linalg.square ins(%x0 : tensor<13xf32>) outs(%e10 : tensor<13xf32>) -> tensor<13xf32>
  %e11 = tensor.empty() : tensor<13xf32>
  %r11 = linalg.tanh ins(%x0 : tensor<13xf32>) outs(%e11 : tensor<13xf32>) -> tensor<13xf32>
  %e12 = tensor.empty() : tensor<13xf32>
  %r12 = linalg.erf ins(%x0 : tensor<13xf32>) outs(%e12 : tensor<13xf32>) -> tensor<13xf32>
  return %r0, %r1, %r2, %r3, %r4, %r5, %r6, %r7, %r8, %r9, %r10, %r11, %r12 : tensor<13xf32>, tensor<13xf32>, tensor<13xf32>, tensor<13xf32>, tensor<13xf32>, tensor<13xf32>, tensor<13xf32>, tensor<13xf32>, tensor<13xf32>, tensor<13xf32>, tensor<13xf32>, tensor<13xf32>, tensor<13xf32>
}
