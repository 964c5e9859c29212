// Powers and angles of f64.
func.func @main(%x: tensor<?xf64>, %y: tensor<?xf64>) -> tensor<2x?xf64> {
  %r0 = graph.pow %x, %y : tensor<?xf64>
  %r1 = graph.atan2 %x, %y : tensor<?xf64>
  %r = graph.stack %r0, %r1 dim = 0 : tensor<?xf64>, tensor<?xf64> -> tensor<2x?xf64>
  return %r : tensor<2x?xf64>
}
