// Sums, products and limits of i64.
func.func @main(%x: tensor<?x5xi64>) -> (tensor<5xi64>, tensor<5xi64>) {
  %r0 = graph.reduce add %x dims = [0]  : tensor<?x5xi64> -> tensor<5xi64>
  %r1 = graph.reduce max %x dims = [0]  : tensor<?x5xi64> -> tensor<5xi64>
  return %r0, %r1 : tensor<5xi64>, tensor<5xi64>
}
