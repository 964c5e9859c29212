// Signs of f64.
func.func @main(%x: tensor<?xf64>) -> tensor<4x?xf64> {
  %r0 = graph.abs %x : tensor<?xf64>
  %r1 = graph.neg %x : tensor<?xf64>
  %r2 = graph.sign %x : tensor<?xf64>
  %r3 = graph.relu %x : tensor<?xf64>
  %r = graph.stack %r0, %r1, %r2, %r3 dim = 0 : tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64> -> tensor<4x?xf64>
  return %r : tensor<4x?xf64>
}
