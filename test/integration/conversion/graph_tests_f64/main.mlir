// Kinds of f64.
func.func @main(%x: tensor<?xf64>) -> tensor<3x?xi1> {
  %r0 = graph.isnan %x : tensor<?xf64> -> tensor<?xi1>
  %r1 = graph.isinf %x : tensor<?xf64> -> tensor<?xi1>
  %r2 = graph.isfinite %x : tensor<?xf64> -> tensor<?xi1>
  %r = graph.stack %r0, %r1, %r2 dim = 0 : tensor<?xi1>, tensor<?xi1>, tensor<?xi1> -> tensor<3x?xi1>
  return %r : tensor<3x?xi1>
}
