// Two operands of i64.
func.func @main(%x: tensor<?xi64>, %y: tensor<?xi64>) -> tensor<13x?xi64> {
  %r0 = graph.add %x, %y : tensor<?xi64>
  %r1 = graph.sub %x, %y : tensor<?xi64>
  %r2 = graph.mul %x, %y : tensor<?xi64>
  %r3 = graph.max %x, %y : tensor<?xi64>
  %r4 = graph.min %x, %y : tensor<?xi64>
  %r5 = graph.max %x, %y unsigned : tensor<?xi64>
  %r6 = graph.min %x, %y unsigned : tensor<?xi64>
  %r7 = graph.and %x, %y : tensor<?xi64>
  %r8 = graph.or %x, %y : tensor<?xi64>
  %r9 = graph.xor %x, %y : tensor<?xi64>
  %r10 = graph.shl %x, %y : tensor<?xi64>
  %r11 = graph.shr %x, %y : tensor<?xi64>
  %r12 = graph.shr %x, %y unsigned : tensor<?xi64>
  %r = graph.stack %r0, %r1, %r2, %r3, %r4, %r5, %r6, %r7, %r8, %r9, %r10, %r11, %r12 dim = 0 : tensor<?xi64>, tensor<?xi64>, tensor<?xi64>, tensor<?xi64>, tensor<?xi64>, tensor<?xi64>, tensor<?xi64>, tensor<?xi64>, tensor<?xi64>, tensor<?xi64>, tensor<?xi64>, tensor<?xi64>, tensor<?xi64> -> tensor<13x?xi64>
  return %r : tensor<13x?xi64>
}
