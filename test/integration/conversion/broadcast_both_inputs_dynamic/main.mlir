// An outer sum: no input has all loops.
func.func @main(%x: tensor<?xi64>, %y: tensor<?xi64>) -> tensor<?x?xi64> {
  %n_axis = arith.constant 0 : index
  %n = tensor.dim %x, %n_axis : tensor<?xi64>
  %m_axis = arith.constant 0 : index
  %m = tensor.dim %y, %m_axis : tensor<?xi64>
  %r_empty = tensor.empty(%n, %m) : tensor<?x?xi64>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%x, %y : tensor<?xi64>, tensor<?xi64>) outs(%r_empty : tensor<?x?xi64>) {
  ^bb0(%in0: i64, %in1: i64, %out0: i64):
    %s = arith.addi %in0, %in1 : i64
    linalg.yield %s : i64
  } -> tensor<?x?xi64>
  return %r : tensor<?x?xi64>
}
