// insert_slice: a vector becomes a column of a fill.
func.func @main(%x: tensor<7xi64>) -> tensor<7x5xi64> {
  %zero_value = arith.constant 0 : i64
  %zero_empty = tensor.empty() : tensor<7x5xi64>
  %zero = linalg.fill ins(%zero_value : i64) outs(%zero_empty : tensor<7x5xi64>) -> tensor<7x5xi64>
  %r = tensor.insert_slice %x into %zero[0, 3] [7, 1] [1, 1] : tensor<7xi64> into tensor<7x5xi64>
  return %r : tensor<7x5xi64>
}
