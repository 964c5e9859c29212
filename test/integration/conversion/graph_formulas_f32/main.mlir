// The formulas of f32.
func.func @main(%x: tensor<?xf32>) -> tensor<9x?xf32> {
  %r0 = graph.sigmoid %x : tensor<?xf32>
  %r1 = graph.silu %x : tensor<?xf32>
  %r2 = graph.softplus %x : tensor<?xf32>
  %r3 = graph.gelu %x : tensor<?xf32>
  %r4 = graph.gelu_tanh %x : tensor<?xf32>
  %r5 = graph.hard_swish %x : tensor<?xf32>
  %r6 = graph.elu %x alpha = 0.75 : tensor<?xf32>
  %r7 = graph.leaky_relu %x alpha = 0.01 : tensor<?xf32>
  %r8 = graph.square %x : tensor<?xf32>
  %r = graph.stack %r0, %r1, %r2, %r3, %r4, %r5, %r6, %r7, %r8 dim = 0 : tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32> -> tensor<9x?xf32>
  return %r : tensor<9x?xf32>
}
