// Broadcasts and transpositions.
func.func @main(%x: tensor<?x1xf32>, %n: index) -> (tensor<2x?x3xf32>, tensor<1x?xf32>, tensor<?x?xf32>) {
  %r0 = graph.broadcast %x dims = [1, 2] : tensor<?x1xf32> to tensor<2x?x3xf32>
  %r1 = graph.transpose %x perm = [1, 0] : tensor<?x1xf32> to tensor<1x?xf32>
  %r2 = graph.broadcast %x dims = [0, 1] sizes(%n) : tensor<?x1xf32> to tensor<?x?xf32>
  return %r0, %r1, %r2 : tensor<2x?x3xf32>, tensor<1x?xf32>, tensor<?x?xf32>
}
