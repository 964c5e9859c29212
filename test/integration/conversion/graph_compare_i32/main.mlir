// All comparisons of i32.
func.func @main(%x: tensor<?xi32>, %y: tensor<?xi32>) -> tensor<12x?xi1> {
  %r0 = graph.compare eq %x, %y : tensor<?xi32> -> tensor<?xi1>
  %r1 = graph.compare eq %x, %y unsigned : tensor<?xi32> -> tensor<?xi1>
  %r2 = graph.compare ne %x, %y : tensor<?xi32> -> tensor<?xi1>
  %r3 = graph.compare ne %x, %y unsigned : tensor<?xi32> -> tensor<?xi1>
  %r4 = graph.compare lt %x, %y : tensor<?xi32> -> tensor<?xi1>
  %r5 = graph.compare lt %x, %y unsigned : tensor<?xi32> -> tensor<?xi1>
  %r6 = graph.compare le %x, %y : tensor<?xi32> -> tensor<?xi1>
  %r7 = graph.compare le %x, %y unsigned : tensor<?xi32> -> tensor<?xi1>
  %r8 = graph.compare gt %x, %y : tensor<?xi32> -> tensor<?xi1>
  %r9 = graph.compare gt %x, %y unsigned : tensor<?xi32> -> tensor<?xi1>
  %r10 = graph.compare ge %x, %y : tensor<?xi32> -> tensor<?xi1>
  %r11 = graph.compare ge %x, %y unsigned : tensor<?xi32> -> tensor<?xi1>
  %r = graph.stack %r0, %r1, %r2, %r3, %r4, %r5, %r6, %r7, %r8, %r9, %r10, %r11 dim = 0 : tensor<?xi1>, tensor<?xi1>, tensor<?xi1>, tensor<?xi1>, tensor<?xi1>, tensor<?xi1>, tensor<?xi1>, tensor<?xi1>, tensor<?xi1>, tensor<?xi1>, tensor<?xi1>, tensor<?xi1> -> tensor<12x?xi1>
  return %r : tensor<12x?xi1>
}
