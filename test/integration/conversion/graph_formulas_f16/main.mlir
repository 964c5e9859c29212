// The formulas of f16.
func.func @main(%x: tensor<?xf16>) -> tensor<9x?xf16> {
  %r0 = graph.sigmoid %x : tensor<?xf16>
  %r1 = graph.silu %x : tensor<?xf16>
  %r2 = graph.softplus %x : tensor<?xf16>
  %r3 = graph.gelu %x : tensor<?xf16>
  %r4 = graph.gelu_tanh %x : tensor<?xf16>
  %r5 = graph.hard_swish %x : tensor<?xf16>
  %r6 = graph.elu %x alpha = 0.75 : tensor<?xf16>
  %r7 = graph.leaky_relu %x alpha = 0.01 : tensor<?xf16>
  %r8 = graph.square %x : tensor<?xf16>
  %r = graph.stack %r0, %r1, %r2, %r3, %r4, %r5, %r6, %r7, %r8 dim = 0 : tensor<?xf16>, tensor<?xf16>, tensor<?xf16>, tensor<?xf16>, tensor<?xf16>, tensor<?xf16>, tensor<?xf16>, tensor<?xf16>, tensor<?xf16> -> tensor<9x?xf16>
  return %r : tensor<9x?xf16>
}
