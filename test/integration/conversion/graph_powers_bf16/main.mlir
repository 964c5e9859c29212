// Powers and angles of bf16.
func.func @main(%x: tensor<?xbf16>, %y: tensor<?xbf16>) -> tensor<2x?xbf16> {
  %r0 = graph.pow %x, %y : tensor<?xbf16>
  %r1 = graph.atan2 %x, %y : tensor<?xbf16>
  %r = graph.stack %r0, %r1 dim = 0 : tensor<?xbf16>, tensor<?xbf16> -> tensor<2x?xbf16>
  return %r : tensor<2x?xbf16>
}
