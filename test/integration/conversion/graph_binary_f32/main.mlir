// Arithmetic of f32.
func.func @main(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<9x?xf32> {
  %r0 = graph.add %x, %y : tensor<?xf32>
  %r1 = graph.sub %x, %y : tensor<?xf32>
  %r2 = graph.mul %x, %y : tensor<?xf32>
  %r3 = graph.div %x, %y : tensor<?xf32>
  %r4 = graph.mod %x, %y : tensor<?xf32>
  %r5 = graph.floor_div %x, %y : tensor<?xf32>
  %r6 = graph.floor_mod %x, %y : tensor<?xf32>
  %r7 = graph.max %x, %y : tensor<?xf32>
  %r8 = graph.min %x, %y : tensor<?xf32>
  %r = graph.stack %r0, %r1, %r2, %r3, %r4, %r5, %r6, %r7, %r8 dim = 0 : tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32> -> tensor<9x?xf32>
  return %r : tensor<9x?xf32>
}
