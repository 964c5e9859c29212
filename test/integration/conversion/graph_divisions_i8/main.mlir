// Quotients and remainders of i8.
func.func @main(%x: tensor<?xi8>, %y: tensor<?xi8>) -> tensor<6x?xi8> {
  %r0 = graph.div %x, %y : tensor<?xi8>
  %r1 = graph.mod %x, %y : tensor<?xi8>
  %r2 = graph.floor_div %x, %y : tensor<?xi8>
  %r3 = graph.floor_mod %x, %y : tensor<?xi8>
  %r4 = graph.div %x, %y unsigned : tensor<?xi8>
  %r5 = graph.mod %x, %y unsigned : tensor<?xi8>
  %r = graph.stack %r0, %r1, %r2, %r3, %r4, %r5 dim = 0 : tensor<?xi8>, tensor<?xi8>, tensor<?xi8>, tensor<?xi8>, tensor<?xi8>, tensor<?xi8> -> tensor<6x?xi8>
  return %r : tensor<6x?xi8>
}
