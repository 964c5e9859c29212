// Shifts of i64 by less than its width.
func.func @main(%x0: tensor<30xi64>, %x1: tensor<30xi64>) -> (tensor<30xi64>, tensor<30xi64>, tensor<30xi64>) {
  %r0_empty = tensor.empty() : tensor<30xi64>
  %r0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0, %x1 : tensor<30xi64>, tensor<30xi64>) outs(%r0_empty : tensor<30xi64>) {
  ^bb0(%in0: i64, %in1: i64, %out0: i64):
    %v = arith.shli %in0, %in1 : i64
    linalg.yield %v : i64
  } -> tensor<30xi64>
  %r1_empty = tensor.empty() : tensor<30xi64>
  %r1 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0, %x1 : tensor<30xi64>, tensor<30xi64>) outs(%r1_empty : tensor<30xi64>) {
  ^bb0(%in0: i64, %in1: i64, %out0: i64):
    %v = arith.shrsi %in0, %in1 : i64
    linalg.yield %v : i64
  } -> tensor<30xi64>
  %r2_empty = tensor.empty() : tensor<30xi64>
  %r2 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0, %x1 : tensor<30xi64>, tensor<30xi64>) outs(%r2_empty : tensor<30xi64>) {
  ^bb0(%in0: i64, %in1: i64, %out0: i64):
    %v = arith.shrui %in0, %in1 : i64
    linalg.yield %v : i64
  } -> tensor<30xi64>
  return %r0, %r1, %r2 : tensor<30xi64>, tensor<30xi64>, tensor<30xi64>
}
