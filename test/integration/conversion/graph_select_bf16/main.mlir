// A choice between elements of bf16.
func.func @main(%c: tensor<?xi1>, %x: tensor<?xbf16>, %y: tensor<?xbf16>) -> tensor<?xbf16> {
  %r = graph.select %c, %x, %y : tensor<?xi1>, tensor<?xbf16>
  return %r : tensor<?xbf16>
}
