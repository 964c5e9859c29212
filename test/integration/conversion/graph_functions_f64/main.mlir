// The functions of f64.
func.func @main(%x: tensor<?xf64>) -> tensor<24x?xf64> {
  %r0 = graph.acos %x : tensor<?xf64>
  %r1 = graph.acosh %x : tensor<?xf64>
  %r2 = graph.asin %x : tensor<?xf64>
  %r3 = graph.asinh %x : tensor<?xf64>
  %r4 = graph.atan %x : tensor<?xf64>
  %r5 = graph.atanh %x : tensor<?xf64>
  %r6 = graph.ceil %x : tensor<?xf64>
  %r7 = graph.cos %x : tensor<?xf64>
  %r8 = graph.cosh %x : tensor<?xf64>
  %r9 = graph.erf %x : tensor<?xf64>
  %r10 = graph.exp %x : tensor<?xf64>
  %r11 = graph.expm1 %x : tensor<?xf64>
  %r12 = graph.floor %x : tensor<?xf64>
  %r13 = graph.log %x : tensor<?xf64>
  %r14 = graph.log1p %x : tensor<?xf64>
  %r15 = graph.reciprocal %x : tensor<?xf64>
  %r16 = graph.round %x : tensor<?xf64>
  %r17 = graph.rsqrt %x : tensor<?xf64>
  %r18 = graph.sin %x : tensor<?xf64>
  %r19 = graph.sinh %x : tensor<?xf64>
  %r20 = graph.sqrt %x : tensor<?xf64>
  %r21 = graph.tan %x : tensor<?xf64>
  %r22 = graph.tanh %x : tensor<?xf64>
  %r23 = graph.trunc %x : tensor<?xf64>
  %r = graph.stack %r0, %r1, %r2, %r3, %r4, %r5, %r6, %r7, %r8, %r9, %r10, %r11, %r12, %r13, %r14, %r15, %r16, %r17, %r18, %r19, %r20, %r21, %r22, %r23 dim = 0 : tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64> -> tensor<24x?xf64>
  return %r : tensor<24x?xf64>
}
