// Conversions of bf16 to all other types.
func.func @main(%x: tensor<?xbf16>) -> (tensor<?xi1>, tensor<?xi8>, tensor<?xi16>, tensor<?xi32>, tensor<?xi64>, tensor<?xf16>, tensor<?xf32>, tensor<?xf64>) {
  %r0 = graph.cast %x : tensor<?xbf16> to tensor<?xi1>
  %r1 = graph.cast %x : tensor<?xbf16> to tensor<?xi8>
  %r2 = graph.cast %x : tensor<?xbf16> to tensor<?xi16>
  %r3 = graph.cast %x : tensor<?xbf16> to tensor<?xi32>
  %r4 = graph.cast %x : tensor<?xbf16> to tensor<?xi64>
  %r5 = graph.cast %x : tensor<?xbf16> to tensor<?xf16>
  %r6 = graph.cast %x : tensor<?xbf16> to tensor<?xf32>
  %r7 = graph.cast %x : tensor<?xbf16> to tensor<?xf64>
  return %r0, %r1, %r2, %r3, %r4, %r5, %r6, %r7 : tensor<?xi1>, tensor<?xi8>, tensor<?xi16>, tensor<?xi32>, tensor<?xi64>, tensor<?xf16>, tensor<?xf32>, tensor<?xf64>
}
