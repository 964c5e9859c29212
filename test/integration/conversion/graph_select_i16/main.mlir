// A choice between elements of i16.
func.func @main(%c: tensor<?xi1>, %x: tensor<?xi16>, %y: tensor<?xi16>) -> tensor<?xi16> {
  %r = graph.select %c, %x, %y : tensor<?xi1>, tensor<?xi16>
  return %r : tensor<?xi16>
}
