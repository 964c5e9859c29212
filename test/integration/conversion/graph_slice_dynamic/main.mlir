// Bounds beyond a size that is known at run time.
func.func @main(%x: tensor<?x5xf32>) -> (tensor<?x5xf32>, tensor<?x2xf32>) {
  %r0 = graph.slice %x dims = [0] starts = [-4] ends = [3] steps = [2] : tensor<?x5xf32> -> tensor<?x5xf32>
  %r1 = graph.slice %x dims = [0, 1] starts = [1, 3] ends = [6, 5] steps = [1, 1] : tensor<?x5xf32> -> tensor<?x2xf32>
  return %r0, %r1 : tensor<?x5xf32>, tensor<?x2xf32>
}
