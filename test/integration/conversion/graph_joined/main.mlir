// Concatenation and stacking.
func.func @main(%x: tensor<?x3xf32>, %y: tensor<2x3xf32>, %z: tensor<2x3xf32>) -> (tensor<?x3xf32>, tensor<2x6xf32>, tensor<2x2x3xf32>, tensor<2x3xf32>) {
  %r0 = graph.concat %y, %x, %z dim = 0 : tensor<2x3xf32>, tensor<?x3xf32>, tensor<2x3xf32> -> tensor<?x3xf32>
  %r1 = graph.concat %y, %z dim = 1 : tensor<2x3xf32>, tensor<2x3xf32> -> tensor<2x6xf32>
  %r2 = graph.stack %y, %z dim = 1 : tensor<2x3xf32>, tensor<2x3xf32> -> tensor<2x2x3xf32>
  %r3 = graph.concat %y dim = 0 : tensor<2x3xf32> -> tensor<2x3xf32>
  return %r0, %r1, %r2, %r3 : tensor<?x3xf32>, tensor<2x6xf32>, tensor<2x2x3xf32>, tensor<2x3xf32>
}
