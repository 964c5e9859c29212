// All comparisons of f16.
func.func @main(%x: tensor<?xf16>, %y: tensor<?xf16>) -> tensor<6x?xi1> {
  %r0 = graph.compare eq %x, %y : tensor<?xf16> -> tensor<?xi1>
  %r1 = graph.compare ne %x, %y : tensor<?xf16> -> tensor<?xi1>
  %r2 = graph.compare lt %x, %y : tensor<?xf16> -> tensor<?xi1>
  %r3 = graph.compare le %x, %y : tensor<?xf16> -> tensor<?xi1>
  %r4 = graph.compare gt %x, %y : tensor<?xf16> -> tensor<?xi1>
  %r5 = graph.compare ge %x, %y : tensor<?xf16> -> tensor<?xi1>
  %r = graph.stack %r0, %r1, %r2, %r3, %r4, %r5 dim = 0 : tensor<?xi1>, tensor<?xi1>, tensor<?xi1>, tensor<?xi1>, tensor<?xi1>, tensor<?xi1> -> tensor<6x?xi1>
  return %r : tensor<6x?xi1>
}
