// The inverse of i1.
func.func @main(%x: tensor<?xi1>) -> tensor<1x?xi1> {
  %r0 = graph.not %x : tensor<?xi1>
  %r = graph.stack %r0 dim = 0 : tensor<?xi1> -> tensor<1x?xi1>
  return %r : tensor<1x?xi1>
}
