// The size of each slice is an expression over that of the one before.
func.func @main(%x: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %a = graph.slice %x dims = [0] starts = [1] ends = [-1] steps = [1] : tensor<?xf32> -> tensor<?xf32>
  %b = graph.slice %a dims = [0] starts = [1] ends = [-1] steps = [1] : tensor<?xf32> -> tensor<?xf32>
  %c = graph.slice %b dims = [0] starts = [1] ends = [-1] steps = [1] : tensor<?xf32> -> tensor<?xf32>
  %r0 = graph.slice %c dims = [0] starts = [1] ends = [-1] steps = [1] : tensor<?xf32> -> tensor<?xf32>
  %d = graph.slice %x dims = [0] starts = [1] ends = [11] steps = [1] : tensor<?xf32> -> tensor<?xf32>
  %r1 = graph.slice %d dims = [0] starts = [5] ends = [9] steps = [1] : tensor<?xf32> -> tensor<?xf32>
  return %r0, %r1 : tensor<?xf32>, tensor<?xf32>
}
