// Quotients and remainders of i64.
func.func @main(%x: tensor<?xi64>, %y: tensor<?xi64>) -> tensor<6x?xi64> {
  %r0 = graph.div %x, %y : tensor<?xi64>
  %r1 = graph.mod %x, %y : tensor<?xi64>
  %r2 = graph.floor_div %x, %y : tensor<?xi64>
  %r3 = graph.floor_mod %x, %y : tensor<?xi64>
  %r4 = graph.div %x, %y unsigned : tensor<?xi64>
  %r5 = graph.mod %x, %y unsigned : tensor<?xi64>
  %r = graph.stack %r0, %r1, %r2, %r3, %r4, %r5 dim = 0 : tensor<?xi64>, tensor<?xi64>, tensor<?xi64>, tensor<?xi64>, tensor<?xi64>, tensor<?xi64> -> tensor<6x?xi64>
  return %r : tensor<6x?xi64>
}
