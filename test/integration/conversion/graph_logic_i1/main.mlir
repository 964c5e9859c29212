// Two operands of i1.
func.func @main(%x: tensor<?xi1>, %y: tensor<?xi1>) -> tensor<3x?xi1> {
  %r0 = graph.and %x, %y : tensor<?xi1>
  %r1 = graph.or %x, %y : tensor<?xi1>
  %r2 = graph.xor %x, %y : tensor<?xi1>
  %r = graph.stack %r0, %r1, %r2 dim = 0 : tensor<?xi1>, tensor<?xi1>, tensor<?xi1> -> tensor<3x?xi1>
  return %r : tensor<3x?xi1>
}
