// Powers and angles of f32.
func.func @main(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<2x?xf32> {
  %r0 = graph.pow %x, %y : tensor<?xf32>
  %r1 = graph.atan2 %x, %y : tensor<?xf32>
  %r = graph.stack %r0, %r1 dim = 0 : tensor<?xf32>, tensor<?xf32> -> tensor<2x?xf32>
  return %r : tensor<2x?xf32>
}
