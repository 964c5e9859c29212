// Products of f64 that are added in f64.
func.func @main(%x: tensor<5x7xf64>, %y: tensor<7x3xf64>) -> tensor<5x3xf64> {
  %r = graph.matmul %x, %y : tensor<5x7xf64>, tensor<7x3xf64> -> tensor<5x3xf64>
  return %r : tensor<5x3xf64>
}
