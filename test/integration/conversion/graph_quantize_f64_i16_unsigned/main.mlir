// From f64 to i16 unsigned and back, with numbers for all elements and for each column.
func.func @main(%x: tensor<?x5xf64>, %s: tensor<f64>, %z: tensor<i16>, %t: tensor<5xf64>, %w: tensor<5xi16>) -> (tensor<2x?x5xi16>, tensor<2x?x5xf64>) {
  %q0 = graph.quantize %x, %s, %z unsigned : tensor<?x5xf64>, tensor<f64>, tensor<i16> -> tensor<?x5xi16>
  %q1 = graph.quantize %x, %t, %w dim = 1 unsigned : tensor<?x5xf64>, tensor<5xf64>, tensor<5xi16> -> tensor<?x5xi16>
  %r0 = graph.dequantize %q0, %s, %z unsigned : tensor<?x5xi16>, tensor<f64>, tensor<i16> -> tensor<?x5xf64>
  %r1 = graph.dequantize %q1, %t, %w dim = 1 unsigned : tensor<?x5xi16>, tensor<5xf64>, tensor<5xi16> -> tensor<?x5xf64>
  %q = graph.stack %q0, %q1 dim = 0 : tensor<?x5xi16>, tensor<?x5xi16> -> tensor<2x?x5xi16>
  %r = graph.stack %r0, %r1 dim = 0 : tensor<?x5xf64>, tensor<?x5xf64> -> tensor<2x?x5xf64>
  return %q, %r : tensor<2x?x5xi16>, tensor<2x?x5xf64>
}
