// A reduction that starts from an argument, dynamic.
func.func @main(%x: tensor<?x?xi64>, %start: tensor<?xi64>) -> tensor<?xi64> {
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<?x?xi64>) outs(%start : tensor<?xi64>) {
  ^bb0(%in0: i64, %out0: i64):
    %s = arith.addi %out0, %in0 : i64
    linalg.yield %s : i64
  } -> tensor<?xi64>
  return %r : tensor<?xi64>
}
