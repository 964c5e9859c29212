// The formulas of f64.
func.func @main(%x: tensor<?xf64>) -> tensor<9x?xf64> {
  %r0 = graph.sigmoid %x : tensor<?xf64>
  %r1 = graph.silu %x : tensor<?xf64>
  %r2 = graph.softplus %x : tensor<?xf64>
  %r3 = graph.gelu %x : tensor<?xf64>
  %r4 = graph.gelu_tanh %x : tensor<?xf64>
  %r5 = graph.hard_swish %x : tensor<?xf64>
  %r6 = graph.elu %x alpha = 0.75 : tensor<?xf64>
  %r7 = graph.leaky_relu %x alpha = 0.01 : tensor<?xf64>
  %r8 = graph.square %x : tensor<?xf64>
  %r = graph.stack %r0, %r1, %r2, %r3, %r4, %r5, %r6, %r7, %r8 dim = 0 : tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64> -> tensor<9x?xf64>
  return %r : tensor<9x?xf64>
}
