// One operand of i32.
func.func @main(%x: tensor<?xi32>) -> tensor<6x?xi32> {
  %r0 = graph.abs %x : tensor<?xi32>
  %r1 = graph.neg %x : tensor<?xi32>
  %r2 = graph.sign %x : tensor<?xi32>
  %r3 = graph.square %x : tensor<?xi32>
  %r4 = graph.relu %x : tensor<?xi32>
  %r5 = graph.not %x : tensor<?xi32>
  %r = graph.stack %r0, %r1, %r2, %r3, %r4, %r5 dim = 0 : tensor<?xi32>, tensor<?xi32>, tensor<?xi32>, tensor<?xi32>, tensor<?xi32>, tensor<?xi32> -> tensor<6x?xi32>
  return %r : tensor<6x?xi32>
}
