// Bitwise or.
func.func @main(%x: tensor<7x5xi64>) -> tensor<7xi64> {
  %start_value = arith.constant 0 : i64
  %start_empty = tensor.empty() : tensor<7xi64>
  %start = linalg.fill ins(%start_value : i64) outs(%start_empty : tensor<7xi64>) -> tensor<7xi64>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<7x5xi64>) outs(%start : tensor<7xi64>) {
  ^bb0(%in0: i64, %out0: i64):
    %v = arith.ori %out0, %in0 : i64
    linalg.yield %v : i64
  } -> tensor<7xi64>
  return %r : tensor<7xi64>
}
