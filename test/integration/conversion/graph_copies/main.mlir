// Reversed, tiled and repeated.
func.func @main(%x: tensor<?x3xf32>) -> (tensor<?x3xf32>, tensor<?x6xf32>, tensor<?x9xf32>, tensor<?x3xf32>) {
  %r0 = graph.flip %x dims = [1, 0] : tensor<?x3xf32>
  %r1 = graph.tile %x repeats = [3, 2] : tensor<?x3xf32> -> tensor<?x6xf32>
  %r2 = graph.repeat %x dim = 1 count = 3 : tensor<?x3xf32> -> tensor<?x9xf32>
  %r3 = graph.repeat %x dim = 0 count = 2 : tensor<?x3xf32> -> tensor<?x3xf32>
  return %r0, %r1, %r2, %r3 : tensor<?x3xf32>, tensor<?x6xf32>, tensor<?x9xf32>, tensor<?x3xf32>
}
