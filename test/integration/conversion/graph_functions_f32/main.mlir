// The functions of f32.
func.func @main(%x: tensor<?xf32>) -> tensor<24x?xf32> {
  %r0 = graph.acos %x : tensor<?xf32>
  %r1 = graph.acosh %x : tensor<?xf32>
  %r2 = graph.asin %x : tensor<?xf32>
  %r3 = graph.asinh %x : tensor<?xf32>
  %r4 = graph.atan %x : tensor<?xf32>
  %r5 = graph.atanh %x : tensor<?xf32>
  %r6 = graph.ceil %x : tensor<?xf32>
  %r7 = graph.cos %x : tensor<?xf32>
  %r8 = graph.cosh %x : tensor<?xf32>
  %r9 = graph.erf %x : tensor<?xf32>
  %r10 = graph.exp %x : tensor<?xf32>
  %r11 = graph.expm1 %x : tensor<?xf32>
  %r12 = graph.floor %x : tensor<?xf32>
  %r13 = graph.log %x : tensor<?xf32>
  %r14 = graph.log1p %x : tensor<?xf32>
  %r15 = graph.reciprocal %x : tensor<?xf32>
  %r16 = graph.round %x : tensor<?xf32>
  %r17 = graph.rsqrt %x : tensor<?xf32>
  %r18 = graph.sin %x : tensor<?xf32>
  %r19 = graph.sinh %x : tensor<?xf32>
  %r20 = graph.sqrt %x : tensor<?xf32>
  %r21 = graph.tan %x : tensor<?xf32>
  %r22 = graph.tanh %x : tensor<?xf32>
  %r23 = graph.trunc %x : tensor<?xf32>
  %r = graph.stack %r0, %r1, %r2, %r3, %r4, %r5, %r6, %r7, %r8, %r9, %r10, %r11, %r12, %r13, %r14, %r15, %r16, %r17, %r18, %r19, %r20, %r21, %r22, %r23 dim = 0 : tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32> -> tensor<24x?xf32>
  return %r : tensor<24x?xf32>
}
