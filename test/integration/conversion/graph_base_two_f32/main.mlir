// Powers and logarithms of f32 to base 2, and selu.
func.func @main(%x: tensor<?xf32>) -> tensor<3x?xf32> {
  %r0 = graph.exp2 %x : tensor<?xf32>
  %r1 = graph.log2 %x : tensor<?xf32>
  %r2 = graph.selu %x : tensor<?xf32>
  %r = graph.stack %r0, %r1, %r2 dim = 0 : tensor<?xf32>, tensor<?xf32>, tensor<?xf32> -> tensor<3x?xf32>
  return %r : tensor<3x?xf32>
}
