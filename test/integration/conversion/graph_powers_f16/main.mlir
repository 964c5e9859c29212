// Powers and angles of f16.
func.func @main(%x: tensor<?xf16>, %y: tensor<?xf16>) -> tensor<2x?xf16> {
  %r0 = graph.pow %x, %y : tensor<?xf16>
  %r1 = graph.atan2 %x, %y : tensor<?xf16>
  %r = graph.stack %r0, %r1 dim = 0 : tensor<?xf16>, tensor<?xf16> -> tensor<2x?xf16>
  return %r : tensor<2x?xf16>
}
