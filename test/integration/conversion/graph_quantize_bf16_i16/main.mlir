// From bf16 to i16 and back, with numbers for all elements and for each column.
func.func @main(%x: tensor<?x5xbf16>, %s: tensor<bf16>, %z: tensor<i16>, %t: tensor<5xbf16>, %w: tensor<5xi16>) -> (tensor<2x?x5xi16>, tensor<2x?x5xbf16>) {
  %q0 = graph.quantize %x, %s, %z : tensor<?x5xbf16>, tensor<bf16>, tensor<i16> -> tensor<?x5xi16>
  %q1 = graph.quantize %x, %t, %w dim = 1 : tensor<?x5xbf16>, tensor<5xbf16>, tensor<5xi16> -> tensor<?x5xi16>
  %r0 = graph.dequantize %q0, %s, %z : tensor<?x5xi16>, tensor<bf16>, tensor<i16> -> tensor<?x5xbf16>
  %r1 = graph.dequantize %q1, %t, %w dim = 1 : tensor<?x5xi16>, tensor<5xbf16>, tensor<5xi16> -> tensor<?x5xbf16>
  %q = graph.stack %q0, %q1 dim = 0 : tensor<?x5xi16>, tensor<?x5xi16> -> tensor<2x?x5xi16>
  %r = graph.stack %r0, %r1 dim = 0 : tensor<?x5xbf16>, tensor<?x5xbf16> -> tensor<2x?x5xbf16>
  return %q, %r : tensor<2x?x5xi16>, tensor<2x?x5xbf16>
}
