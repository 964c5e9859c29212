// Arithmetic of bf16.
func.func @main(%x: tensor<?xbf16>, %y: tensor<?xbf16>) -> tensor<9x?xbf16> {
  %r0 = graph.add %x, %y : tensor<?xbf16>
  %r1 = graph.sub %x, %y : tensor<?xbf16>
  %r2 = graph.mul %x, %y : tensor<?xbf16>
  %r3 = graph.div %x, %y : tensor<?xbf16>
  %r4 = graph.mod %x, %y : tensor<?xbf16>
  %r5 = graph.floor_div %x, %y : tensor<?xbf16>
  %r6 = graph.floor_mod %x, %y : tensor<?xbf16>
  %r7 = graph.max %x, %y : tensor<?xbf16>
  %r8 = graph.min %x, %y : tensor<?xbf16>
  %r = graph.stack %r0, %r1, %r2, %r3, %r4, %r5, %r6, %r7, %r8 dim = 0 : tensor<?xbf16>, tensor<?xbf16>, tensor<?xbf16>, tensor<?xbf16>, tensor<?xbf16>, tensor<?xbf16>, tensor<?xbf16>, tensor<?xbf16>, tensor<?xbf16> -> tensor<9x?xbf16>
  return %r : tensor<9x?xbf16>
}
