#id = affine_map<(i, j) -> (i, j)>
func.func @main(%a: tensor<?x?xi64>) -> tensor<?x?xi64> {
  %r = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%a : tensor<?x?xi64>) {
  ^bb0(%o: i64):
    %j = linalg.index 1 : index
    %x = arith.index_cast %j : index to i64
    %s = arith.addi %x, %o : i64
    linalg.yield %s : i64
  } -> tensor<?x?xi64>
  return %r : tensor<?x?xi64>
}
