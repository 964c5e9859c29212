// Signs of bf16.
func.func @main(%x: tensor<?xbf16>) -> tensor<4x?xbf16> {
  %r0 = graph.abs %x : tensor<?xbf16>
  %r1 = graph.neg %x : tensor<?xbf16>
  %r2 = graph.sign %x : tensor<?xbf16>
  %r3 = graph.relu %x : tensor<?xbf16>
  %r = graph.stack %r0, %r1, %r2, %r3 dim = 0 : tensor<?xbf16>, tensor<?xbf16>, tensor<?xbf16>, tensor<?xbf16> -> tensor<4x?xbf16>
  return %r : tensor<4x?xbf16>
}
