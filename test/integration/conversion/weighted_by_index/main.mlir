// The body uses the index of the reduction loop.
func.func @main(%x: tensor<7x5xi64>) -> tensor<7xi64> {
  %zero_value = arith.constant 0 : i64
  %zero_empty = tensor.empty() : tensor<7xi64>
  %zero = linalg.fill ins(%zero_value : i64) outs(%zero_empty : tensor<7xi64>) -> tensor<7xi64>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<7x5xi64>) outs(%zero : tensor<7xi64>) {
  ^bb0(%in0: i64, %out0: i64):
    %j = linalg.index 1 : index
    %w = arith.index_cast %j : index to i64
    %p = arith.muli %in0, %w : i64
    %s = arith.addi %out0, %p : i64
    linalg.yield %s : i64
  } -> tensor<7xi64>
  return %r : tensor<7xi64>
}
