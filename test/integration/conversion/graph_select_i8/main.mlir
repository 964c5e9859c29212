// A choice between elements of i8.
func.func @main(%c: tensor<?xi1>, %x: tensor<?xi8>, %y: tensor<?xi8>) -> tensor<?xi8> {
  %r = graph.select %c, %x, %y : tensor<?xi1>, tensor<?xi8>
  return %r : tensor<?xi8>
}
