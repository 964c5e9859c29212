// The functions of bf16.
func.func @main(%x: tensor<?xbf16>) -> tensor<24x?xbf16> {
  %r0 = graph.acos %x : tensor<?xbf16>
  %r1 = graph.acosh %x : tensor<?xbf16>
  %r2 = graph.asin %x : tensor<?xbf16>
  %r3 = graph.asinh %x : tensor<?xbf16>
  %r4 = graph.atan %x : tensor<?xbf16>
  %r5 = graph.atanh %x : tensor<?xbf16>
  %r6 = graph.ceil %x : tensor<?xbf16>
  %r7 = graph.cos %x : tensor<?xbf16>
  %r8 = graph.cosh %x : tensor<?xbf16>
  %r9 = graph.erf %x : tensor<?xbf16>
  %r10 = graph.exp %x : tensor<?xbf16>
  %r11 = graph.expm1 %x : tensor<?xbf16>
  %r12 = graph.floor %x : tensor<?xbf16>
  %r13 = graph.log %x : tensor<?xbf16>
  %r14 = graph.log1p %x : tensor<?xbf16>
  %r15 = graph.reciprocal %x : tensor<?xbf16>
  %r16 = graph.round %x : tensor<?xbf16>
  %r17 = graph.rsqrt %x : tensor<?xbf16>
  %r18 = graph.sin %x : tensor<?xbf16>
  %r19 = graph.sinh %x : tensor<?xbf16>
  %r20 = graph.sqrt %x : tensor<?xbf16>
  %r21 = graph.tan %x : tensor<?xbf16>
  %r22 = graph.tanh %x : tensor<?xbf16>
  %r23 = graph.trunc %x : tensor<?xbf16>
  %r = graph.stack %r0, %r1, %r2, %r3, %r4, %r5, %r6, %r7, %r8, %r9, %r10, %r11, %r12, %r13, %r14, %r15, %r16, %r17, %r18, %r19, %r20, %r21, %r22, %r23 dim = 0 : tensor<?xbf16>, tensor<?xbf16>, tensor<?xbf16>, tensor<?xbf16>, tensor<?xbf16>, tensor<?xbf16>, tensor<?xbf16>, tensor<?xbf16>, tensor<?xbf16>, tensor<?xbf16>, tensor<?xbf16>, tensor<?xbf16>, tensor<?xbf16>, tensor<?xbf16>, tensor<?xbf16>, tensor<?xbf16>, tensor<?xbf16>, tensor<?xbf16>, tensor<?xbf16>, tensor<?xbf16>, tensor<?xbf16>, tensor<?xbf16>, tensor<?xbf16>, tensor<?xbf16> -> tensor<24x?xbf16>
  return %r : tensor<24x?xbf16>
}
