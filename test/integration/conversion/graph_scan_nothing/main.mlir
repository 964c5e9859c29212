// Rows without elements.
func.func @main(%x: tensor<2x?x3xf32>) -> (tensor<2x?x3xf32>, tensor<2x?x3xf32>) {
  %r0 = graph.scan add %x dim = 1 : tensor<2x?x3xf32>
  %r1 = graph.scan add %x dim = 1 exclusive reverse : tensor<2x?x3xf32>
  return %r0, %r1 : tensor<2x?x3xf32>, tensor<2x?x3xf32>
}
