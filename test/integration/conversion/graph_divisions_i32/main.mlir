// Quotients and remainders of i32.
func.func @main(%x: tensor<?xi32>, %y: tensor<?xi32>) -> tensor<6x?xi32> {
  %r0 = graph.div %x, %y : tensor<?xi32>
  %r1 = graph.mod %x, %y : tensor<?xi32>
  %r2 = graph.floor_div %x, %y : tensor<?xi32>
  %r3 = graph.floor_mod %x, %y : tensor<?xi32>
  %r4 = graph.div %x, %y unsigned : tensor<?xi32>
  %r5 = graph.mod %x, %y unsigned : tensor<?xi32>
  %r = graph.stack %r0, %r1, %r2, %r3, %r4, %r5 dim = 0 : tensor<?xi32>, tensor<?xi32>, tensor<?xi32>, tensor<?xi32>, tensor<?xi32>, tensor<?xi32> -> tensor<6x?xi32>
  return %r : tensor<6x?xi32>
}
