// Adds and removes dimensions of size 1.
func.func @main(%x: tensor<?x1x5xf32>) -> (tensor<1x?x1x5x1xf32>, tensor<?x5xf32>) {
  %r0 = graph.expand_dims %x dims = [0, 4] : tensor<?x1x5xf32> -> tensor<1x?x1x5x1xf32>
  %r1 = graph.squeeze %x dims = [1] : tensor<?x1x5xf32> -> tensor<?x5xf32>
  return %r0, %r1 : tensor<1x?x1x5x1xf32>, tensor<?x5xf32>
}
