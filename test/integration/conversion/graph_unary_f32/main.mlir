// Signs of f32.
func.func @main(%x: tensor<?xf32>) -> tensor<4x?xf32> {
  %r0 = graph.abs %x : tensor<?xf32>
  %r1 = graph.neg %x : tensor<?xf32>
  %r2 = graph.sign %x : tensor<?xf32>
  %r3 = graph.relu %x : tensor<?xf32>
  %r = graph.stack %r0, %r1, %r2, %r3 dim = 0 : tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32> -> tensor<4x?xf32>
  return %r : tensor<4x?xf32>
}
