// One operand of i16.
func.func @main(%x: tensor<?xi16>) -> tensor<6x?xi16> {
  %r0 = graph.abs %x : tensor<?xi16>
  %r1 = graph.neg %x : tensor<?xi16>
  %r2 = graph.sign %x : tensor<?xi16>
  %r3 = graph.square %x : tensor<?xi16>
  %r4 = graph.relu %x : tensor<?xi16>
  %r5 = graph.not %x : tensor<?xi16>
  %r = graph.stack %r0, %r1, %r2, %r3, %r4, %r5 dim = 0 : tensor<?xi16>, tensor<?xi16>, tensor<?xi16>, tensor<?xi16>, tensor<?xi16>, tensor<?xi16> -> tensor<6x?xi16>
  return %r : tensor<6x?xi16>
}
