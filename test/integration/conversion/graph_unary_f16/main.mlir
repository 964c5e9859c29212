// Signs of f16.
func.func @main(%x: tensor<?xf16>) -> tensor<4x?xf16> {
  %r0 = graph.abs %x : tensor<?xf16>
  %r1 = graph.neg %x : tensor<?xf16>
  %r2 = graph.sign %x : tensor<?xf16>
  %r3 = graph.relu %x : tensor<?xf16>
  %r = graph.stack %r0, %r1, %r2, %r3 dim = 0 : tensor<?xf16>, tensor<?xf16>, tensor<?xf16>, tensor<?xf16> -> tensor<4x?xf16>
  return %r : tensor<4x?xf16>
}
