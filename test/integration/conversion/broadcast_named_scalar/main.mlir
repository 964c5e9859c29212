// broadcast of a 0-d tensor.
func.func @main(%x: tensor<i64>) -> tensor<7xi64> {
  %e = tensor.empty() : tensor<7xi64>
  %r = linalg.broadcast ins(%x : tensor<i64>) outs(%e : tensor<7xi64>) dimensions = [0]
  return %r : tensor<7xi64>
}
