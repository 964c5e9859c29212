// One operand of i8.
func.func @main(%x: tensor<?xi8>) -> tensor<6x?xi8> {
  %r0 = graph.abs %x : tensor<?xi8>
  %r1 = graph.neg %x : tensor<?xi8>
  %r2 = graph.sign %x : tensor<?xi8>
  %r3 = graph.square %x : tensor<?xi8>
  %r4 = graph.relu %x : tensor<?xi8>
  %r5 = graph.not %x : tensor<?xi8>
  %r = graph.stack %r0, %r1, %r2, %r3, %r4, %r5 dim = 0 : tensor<?xi8>, tensor<?xi8>, tensor<?xi8>, tensor<?xi8>, tensor<?xi8>, tensor<?xi8> -> tensor<6x?xi8>
  return %r : tensor<6x?xi8>
}
