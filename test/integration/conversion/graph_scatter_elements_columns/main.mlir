// Updates along the first dimension, by i32, of a size that is known at run time.
func.func @main(%x: tensor<?x3xf32>, %i: tensor<?x2xi32>, %u: tensor<?x2xf32>) -> tensor<?x3xf32> {
  %r = graph.scatter_elements add %x, %i, %u dim = 0 : tensor<?x3xf32>, tensor<?x2xi32>, tensor<?x2xf32>
  return %r : tensor<?x3xf32>
}
