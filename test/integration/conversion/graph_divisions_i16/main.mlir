// Quotients and remainders of i16.
func.func @main(%x: tensor<?xi16>, %y: tensor<?xi16>) -> tensor<6x?xi16> {
  %r0 = graph.div %x, %y : tensor<?xi16>
  %r1 = graph.mod %x, %y : tensor<?xi16>
  %r2 = graph.floor_div %x, %y : tensor<?xi16>
  %r3 = graph.floor_mod %x, %y : tensor<?xi16>
  %r4 = graph.div %x, %y unsigned : tensor<?xi16>
  %r5 = graph.mod %x, %y unsigned : tensor<?xi16>
  %r = graph.stack %r0, %r1, %r2, %r3, %r4, %r5 dim = 0 : tensor<?xi16>, tensor<?xi16>, tensor<?xi16>, tensor<?xi16>, tensor<?xi16>, tensor<?xi16> -> tensor<6x?xi16>
  return %r : tensor<6x?xi16>
}
