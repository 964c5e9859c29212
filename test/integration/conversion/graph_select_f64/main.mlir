// A choice between elements of f64.
func.func @main(%c: tensor<?xi1>, %x: tensor<?xf64>, %y: tensor<?xf64>) -> tensor<?xf64> {
  %r = graph.select %c, %x, %y : tensor<?xi1>, tensor<?xf64>
  return %r : tensor<?xf64>
}
