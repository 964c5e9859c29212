// A choice between elements of i32.
func.func @main(%c: tensor<?xi1>, %x: tensor<?xi32>, %y: tensor<?xi32>) -> tensor<?xi32> {
  %r = graph.select %c, %x, %y : tensor<?xi1>, tensor<?xi32>
  return %r : tensor<?xi32>
}
