// The formulas of bf16.
func.func @main(%x: tensor<?xbf16>) -> tensor<9x?xbf16> {
  %r0 = graph.sigmoid %x : tensor<?xbf16>
  %r1 = graph.silu %x : tensor<?xbf16>
  %r2 = graph.softplus %x : tensor<?xbf16>
  %r3 = graph.gelu %x : tensor<?xbf16>
  %r4 = graph.gelu_tanh %x : tensor<?xbf16>
  %r5 = graph.hard_swish %x : tensor<?xbf16>
  %r6 = graph.elu %x alpha = 0.75 : tensor<?xbf16>
  %r7 = graph.leaky_relu %x alpha = 0.01 : tensor<?xbf16>
  %r8 = graph.square %x : tensor<?xbf16>
  %r = graph.stack %r0, %r1, %r2, %r3, %r4, %r5, %r6, %r7, %r8 dim = 0 : tensor<?xbf16>, tensor<?xbf16>, tensor<?xbf16>, tensor<?xbf16>, tensor<?xbf16>, tensor<?xbf16>, tensor<?xbf16>, tensor<?xbf16>, tensor<?xbf16> -> tensor<9x?xbf16>
  return %r : tensor<9x?xbf16>
}
