// Absolute value and bit counts of i64.
func.func @main(%x0: tensor<9xi64>) -> (tensor<9xi64>, tensor<9xi64>, tensor<9xi64>, tensor<9xi64>) {
  %r0_empty = tensor.empty() : tensor<9xi64>
  %r0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0 : tensor<9xi64>) outs(%r0_empty : tensor<9xi64>) {
  ^bb0(%in0: i64, %out0: i64):
    %v = math.absi %in0 : i64
    linalg.yield %v : i64
  } -> tensor<9xi64>
  %r1_empty = tensor.empty() : tensor<9xi64>
  %r1 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0 : tensor<9xi64>) outs(%r1_empty : tensor<9xi64>) {
  ^bb0(%in0: i64, %out0: i64):
    %v = math.ctpop %in0 : i64
    linalg.yield %v : i64
  } -> tensor<9xi64>
  %r2_empty = tensor.empty() : tensor<9xi64>
  %r2 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0 : tensor<9xi64>) outs(%r2_empty : tensor<9xi64>) {
  ^bb0(%in0: i64, %out0: i64):
    %v = math.ctlz %in0 : i64
    linalg.yield %v : i64
  } -> tensor<9xi64>
  %r3_empty = tensor.empty() : tensor<9xi64>
  %r3 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0 : tensor<9xi64>) outs(%r3_empty : tensor<9xi64>) {
  ^bb0(%in0: i64, %out0: i64):
    %v = math.cttz %in0 : i64
    linalg.yield %v : i64
  } -> tensor<9xi64>
  return %r0, %r1, %r2, %r3 : tensor<9xi64>, tensor<9xi64>, tensor<9xi64>, tensor<9xi64>
}
