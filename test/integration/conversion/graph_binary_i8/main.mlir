// Two operands of i8.
func.func @main(%x: tensor<?xi8>, %y: tensor<?xi8>) -> tensor<13x?xi8> {
  %r0 = graph.add %x, %y : tensor<?xi8>
  %r1 = graph.sub %x, %y : tensor<?xi8>
  %r2 = graph.mul %x, %y : tensor<?xi8>
  %r3 = graph.max %x, %y : tensor<?xi8>
  %r4 = graph.min %x, %y : tensor<?xi8>
  %r5 = graph.max %x, %y unsigned : tensor<?xi8>
  %r6 = graph.min %x, %y unsigned : tensor<?xi8>
  %r7 = graph.and %x, %y : tensor<?xi8>
  %r8 = graph.or %x, %y : tensor<?xi8>
  %r9 = graph.xor %x, %y : tensor<?xi8>
  %r10 = graph.shl %x, %y : tensor<?xi8>
  %r11 = graph.shr %x, %y : tensor<?xi8>
  %r12 = graph.shr %x, %y unsigned : tensor<?xi8>
  %r = graph.stack %r0, %r1, %r2, %r3, %r4, %r5, %r6, %r7, %r8, %r9, %r10, %r11, %r12 dim = 0 : tensor<?xi8>, tensor<?xi8>, tensor<?xi8>, tensor<?xi8>, tensor<?xi8>, tensor<?xi8>, tensor<?xi8>, tensor<?xi8>, tensor<?xi8>, tensor<?xi8>, tensor<?xi8>, tensor<?xi8>, tensor<?xi8> -> tensor<13x?xi8>
  return %r : tensor<13x?xi8>
}
