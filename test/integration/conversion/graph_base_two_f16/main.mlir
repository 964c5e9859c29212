// Powers and logarithms of f16 to base 2, and selu.
func.func @main(%x: tensor<?xf16>) -> tensor<3x?xf16> {
  %r0 = graph.exp2 %x : tensor<?xf16>
  %r1 = graph.log2 %x : tensor<?xf16>
  %r2 = graph.selu %x : tensor<?xf16>
  %r = graph.stack %r0, %r1, %r2 dim = 0 : tensor<?xf16>, tensor<?xf16>, tensor<?xf16> -> tensor<3x?xf16>
  return %r : tensor<3x?xf16>
}
