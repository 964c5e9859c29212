// Two operands of i16.
func.func @main(%x: tensor<?xi16>, %y: tensor<?xi16>) -> tensor<13x?xi16> {
  %r0 = graph.add %x, %y : tensor<?xi16>
  %r1 = graph.sub %x, %y : tensor<?xi16>
  %r2 = graph.mul %x, %y : tensor<?xi16>
  %r3 = graph.max %x, %y : tensor<?xi16>
  %r4 = graph.min %x, %y : tensor<?xi16>
  %r5 = graph.max %x, %y unsigned : tensor<?xi16>
  %r6 = graph.min %x, %y unsigned : tensor<?xi16>
  %r7 = graph.and %x, %y : tensor<?xi16>
  %r8 = graph.or %x, %y : tensor<?xi16>
  %r9 = graph.xor %x, %y : tensor<?xi16>
  %r10 = graph.shl %x, %y : tensor<?xi16>
  %r11 = graph.shr %x, %y : tensor<?xi16>
  %r12 = graph.shr %x, %y unsigned : tensor<?xi16>
  %r = graph.stack %r0, %r1, %r2, %r3, %r4, %r5, %r6, %r7, %r8, %r9, %r10, %r11, %r12 dim = 0 : tensor<?xi16>, tensor<?xi16>, tensor<?xi16>, tensor<?xi16>, tensor<?xi16>, tensor<?xi16>, tensor<?xi16>, tensor<?xi16>, tensor<?xi16>, tensor<?xi16>, tensor<?xi16>, tensor<?xi16>, tensor<?xi16> -> tensor<13x?xi16>
  return %r : tensor<13x?xi16>
}
