// A choice between elements of f16.
func.func @main(%c: tensor<?xi1>, %x: tensor<?xf16>, %y: tensor<?xf16>) -> tensor<?xf16> {
  %r = graph.select %c, %x, %y : tensor<?xi1>, tensor<?xf16>
  return %r : tensor<?xf16>
}
