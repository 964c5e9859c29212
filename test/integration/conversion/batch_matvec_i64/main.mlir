// batch_matvec in i64.
func.func @main(%x0: tensor<2x7x5xi64>, %x1: tensor<2x5xi64>) -> tensor<2x7xi64> {
  %start_value = arith.constant 0 : i64
  %start_empty = tensor.empty() : tensor<2x7xi64>
  %start = linalg.fill ins(%start_value : i64) outs(%start_empty : tensor<2x7xi64>) -> tensor<2x7xi64>
  %r = linalg.batch_matvec ins(%x0, %x1 : tensor<2x7x5xi64>, tensor<2x5xi64>) outs(%start : tensor<2x7xi64>) -> tensor<2x7xi64>
  return %r : tensor<2x7xi64>
}
