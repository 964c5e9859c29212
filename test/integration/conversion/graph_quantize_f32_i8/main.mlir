// From f32 to i8 and back, with numbers for all elements and for each column.
func.func @main(%x: tensor<?x5xf32>, %s: tensor<f32>, %z: tensor<i8>, %t: tensor<5xf32>, %w: tensor<5xi8>) -> (tensor<2x?x5xi8>, tensor<2x?x5xf32>) {
  %q0 = graph.quantize %x, %s, %z : tensor<?x5xf32>, tensor<f32>, tensor<i8> -> tensor<?x5xi8>
  %q1 = graph.quantize %x, %t, %w dim = 1 : tensor<?x5xf32>, tensor<5xf32>, tensor<5xi8> -> tensor<?x5xi8>
  %r0 = graph.dequantize %q0, %s, %z : tensor<?x5xi8>, tensor<f32>, tensor<i8> -> tensor<?x5xf32>
  %r1 = graph.dequantize %q1, %t, %w dim = 1 : tensor<?x5xi8>, tensor<5xf32>, tensor<5xi8> -> tensor<?x5xf32>
  %q = graph.stack %q0, %q1 dim = 0 : tensor<?x5xi8>, tensor<?x5xi8> -> tensor<2x?x5xi8>
  %r = graph.stack %r0, %r1 dim = 0 : tensor<?x5xf32>, tensor<?x5xf32> -> tensor<2x?x5xf32>
  return %q, %r : tensor<2x?x5xi8>, tensor<2x?x5xf32>
}
