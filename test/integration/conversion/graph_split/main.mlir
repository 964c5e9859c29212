// Parts of a dimension, one without elements.
func.func @main(%x: tensor<?x7xf32>) -> (tensor<?x2xf32>, tensor<?x0xf32>, tensor<?x5xf32>) {
  %r0, %r1, %r2 = graph.split %x dim = 1 sizes = [2, 0, 5] : tensor<?x7xf32> -> tensor<?x2xf32>, tensor<?x0xf32>, tensor<?x5xf32>
  return %r0, %r1, %r2 : tensor<?x2xf32>, tensor<?x0xf32>, tensor<?x5xf32>
}
