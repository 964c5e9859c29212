// Batches, and sizes that are known at run time.
func.func @main(%x: tensor<?x2x?x3xf32>, %y: tensor<?x2x3x?xf32>) -> tensor<?x2x?x?xf32> {
  %r = graph.matmul %x, %y : tensor<?x2x?x3xf32>, tensor<?x2x3x?xf32> -> tensor<?x2x?x?xf32>
  return %r : tensor<?x2x?x?xf32>
}
