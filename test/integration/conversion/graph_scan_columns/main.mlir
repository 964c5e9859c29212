// A dimension whose size is known at run time, in both directions.
func.func @main(%x: tensor<2x?x3xf32>) -> (tensor<2x?x3xf32>, tensor<2x?x3xf32>, tensor<2x?x3xf32>) {
  %r0 = graph.scan add %x dim = 1 : tensor<2x?x3xf32>
  %r1 = graph.scan add %x dim = 1 exclusive reverse : tensor<2x?x3xf32>
  %r2 = graph.scan max %x dim = 1 reverse : tensor<2x?x3xf32>
  return %r0, %r1, %r2 : tensor<2x?x3xf32>, tensor<2x?x3xf32>, tensor<2x?x3xf32>
}
