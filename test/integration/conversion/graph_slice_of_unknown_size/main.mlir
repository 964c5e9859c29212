// Bounds of each sign, and those that exporters write for the ends of a dimension.
func.func @main(%x: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>) {
  %r0 = graph.slice %x dims = [0] starts = [15] ends = [9223372036854775807] steps = [1] : tensor<?xf32> -> tensor<?xf32>
  %r1 = graph.slice %x dims = [0] starts = [-3] ends = [9223372036854775807] steps = [1] : tensor<?xf32> -> tensor<?xf32>
  %r2 = graph.slice %x dims = [0] starts = [-9223372036854775808] ends = [9223372036854775807] steps = [2] : tensor<?xf32> -> tensor<?xf32>
  %r3 = graph.slice %x dims = [0] starts = [2] ends = [-1] steps = [1] : tensor<?xf32> -> tensor<?xf32>
  %r4 = graph.slice %x dims = [0] starts = [-3] ends = [2] steps = [1] : tensor<?xf32> -> tensor<?xf32>
  %r5 = graph.slice %x dims = [0] starts = [0] ends = [9223372036854775807] steps = [9223372036854775807] : tensor<?xf32> -> tensor<?xf32>
  return %r0, %r1, %r2, %r3, %r4, %r5 : tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>
}
