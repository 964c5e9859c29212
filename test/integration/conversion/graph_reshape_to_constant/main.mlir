// A dynamic size of the result is a constant.
func.func @main(%x: tensor<?x5xf32>) -> tensor<?x2xf32> {
  %n = arith.constant 10 : index
  %r = graph.reshape %x sizes(%n) : tensor<?x5xf32> to tensor<?x2xf32>
  return %r : tensor<?x2xf32>
}
