// Signed and unsigned bytes.
func.func @main(%x: tensor<5x4xi8>) -> (tensor<4xi64>, tensor<4xi64>) {
  %r0 = graph.argmax %x dim = 0 : tensor<5x4xi8> -> tensor<4xi64>
  %r1 = graph.argmin %x dim = 0 unsigned : tensor<5x4xi8> -> tensor<4xi64>
  return %r0, %r1 : tensor<4xi64>, tensor<4xi64>
}
