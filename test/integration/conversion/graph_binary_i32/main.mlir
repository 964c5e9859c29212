// Two operands of i32.
func.func @main(%x: tensor<?xi32>, %y: tensor<?xi32>) -> tensor<13x?xi32> {
  %r0 = graph.add %x, %y : tensor<?xi32>
  %r1 = graph.sub %x, %y : tensor<?xi32>
  %r2 = graph.mul %x, %y : tensor<?xi32>
  %r3 = graph.max %x, %y : tensor<?xi32>
  %r4 = graph.min %x, %y : tensor<?xi32>
  %r5 = graph.max %x, %y unsigned : tensor<?xi32>
  %r6 = graph.min %x, %y unsigned : tensor<?xi32>
  %r7 = graph.and %x, %y : tensor<?xi32>
  %r8 = graph.or %x, %y : tensor<?xi32>
  %r9 = graph.xor %x, %y : tensor<?xi32>
  %r10 = graph.shl %x, %y : tensor<?xi32>
  %r11 = graph.shr %x, %y : tensor<?xi32>
  %r12 = graph.shr %x, %y unsigned : tensor<?xi32>
  %r = graph.stack %r0, %r1, %r2, %r3, %r4, %r5, %r6, %r7, %r8, %r9, %r10, %r11, %r12 dim = 0 : tensor<?xi32>, tensor<?xi32>, tensor<?xi32>, tensor<?xi32>, tensor<?xi32>, tensor<?xi32>, tensor<?xi32>, tensor<?xi32>, tensor<?xi32>, tensor<?xi32>, tensor<?xi32>, tensor<?xi32>, tensor<?xi32> -> tensor<13x?xi32>
  return %r : tensor<13x?xi32>
}
