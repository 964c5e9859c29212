// A choice between elements of i64.
func.func @main(%c: tensor<?xi1>, %x: tensor<?xi64>, %y: tensor<?xi64>) -> tensor<?xi64> {
  %r = graph.select %c, %x, %y : tensor<?xi1>, tensor<?xi64>
  return %r : tensor<?xi64>
}
