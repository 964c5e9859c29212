// A choice between elements of f32.
func.func @main(%c: tensor<?xi1>, %x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %r = graph.select %c, %x, %y : tensor<?xi1>, tensor<?xf32>
  return %r : tensor<?xf32>
}
