// Products of i64 that are added in i64.
func.func @main(%x: tensor<5x7xi64>, %y: tensor<7x3xi64>) -> tensor<5x3xi64> {
  %r = graph.matmul %x, %y : tensor<5x7xi64>, tensor<7x3xi64> -> tensor<5x3xi64>
  return %r : tensor<5x3xi64>
}
