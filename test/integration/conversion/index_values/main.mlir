// linalg.index and no inputs.
func.func @main() -> tensor<7x5xi64> {
  %r_empty = tensor.empty() : tensor<7x5xi64>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} outs(%r_empty : tensor<7x5xi64>) {
  ^bb0(%out0: i64):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %ten = arith.constant 10 : index
    %p = arith.muli %i, %ten : index
    %s = arith.addi %p, %j : index
    %v = arith.index_cast %s : index to i64
    linalg.yield %v : i64
  } -> tensor<7x5xi64>
  return %r : tensor<7x5xi64>
}
