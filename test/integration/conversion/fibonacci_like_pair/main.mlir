// Two results of one reduction, each of which needs the other one's last value.
func.func @main(%x: tensor<3x5xi64>) -> (tensor<3xi64>, tensor<3xi64>) {
  %zero_value = arith.constant 0 : i64
  %zero_empty = tensor.empty() : tensor<3xi64>
  %zero = linalg.fill ins(%zero_value : i64) outs(%zero_empty : tensor<3xi64>) -> tensor<3xi64>
  %one_value = arith.constant 1 : i64
  %one_empty = tensor.empty() : tensor<3xi64>
  %one = linalg.fill ins(%one_value : i64) outs(%one_empty : tensor<3xi64>) -> tensor<3xi64>
  %a, %b = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<3x5xi64>) outs(%zero, %one : tensor<3xi64>, tensor<3xi64>) {
  ^bb0(%in0: i64, %out0: i64, %out1: i64):
    %s = arith.addi %out0, %out1 : i64
    %t = arith.addi %s, %in0 : i64
    linalg.yield %out1, %t : i64, i64
  } -> (tensor<3xi64>, tensor<3xi64>)
  return %a, %b : tensor<3xi64>, tensor<3xi64>
}
