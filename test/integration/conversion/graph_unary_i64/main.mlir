// One operand of i64.
func.func @main(%x: tensor<?xi64>) -> tensor<6x?xi64> {
  %r0 = graph.abs %x : tensor<?xi64>
  %r1 = graph.neg %x : tensor<?xi64>
  %r2 = graph.sign %x : tensor<?xi64>
  %r3 = graph.square %x : tensor<?xi64>
  %r4 = graph.relu %x : tensor<?xi64>
  %r5 = graph.not %x : tensor<?xi64>
  %r = graph.stack %r0, %r1, %r2, %r3, %r4, %r5 dim = 0 : tensor<?xi64>, tensor<?xi64>, tensor<?xi64>, tensor<?xi64>, tensor<?xi64>, tensor<?xi64> -> tensor<6x?xi64>
  return %r : tensor<6x?xi64>
}
