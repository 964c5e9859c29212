// Powers and logarithms of bf16 to base 2, and selu.
func.func @main(%x: tensor<?xbf16>) -> tensor<3x?xbf16> {
  %r0 = graph.exp2 %x : tensor<?xbf16>
  %r1 = graph.log2 %x : tensor<?xbf16>
  %r2 = graph.selu %x : tensor<?xbf16>
  %r = graph.stack %r0, %r1, %r2 dim = 0 : tensor<?xbf16>, tensor<?xbf16>, tensor<?xbf16> -> tensor<3x?xbf16>
  return %r : tensor<3x?xbf16>
}
