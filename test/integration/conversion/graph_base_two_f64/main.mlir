// Powers and logarithms of f64 to base 2, and selu.
func.func @main(%x: tensor<?xf64>) -> tensor<3x?xf64> {
  %r0 = graph.exp2 %x : tensor<?xf64>
  %r1 = graph.log2 %x : tensor<?xf64>
  %r2 = graph.selu %x : tensor<?xf64>
  %r = graph.stack %r0, %r1, %r2 dim = 0 : tensor<?xf64>, tensor<?xf64>, tensor<?xf64> -> tensor<3x?xf64>
  return %r : tensor<3x?xf64>
}
