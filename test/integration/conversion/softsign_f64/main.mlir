// A body of f64 operations that are all correctly rounded.
func.func @main(%x: tensor<13xf64>) -> tensor<13xf64> {
  %r_empty = tensor.empty() : tensor<13xf64>
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x : tensor<13xf64>) outs(%r_empty : tensor<13xf64>) {
  ^bb0(%in0: f64, %out0: f64):
    %one = arith.constant 1.0 : f64
    %square = arith.mulf %in0, %in0 : f64
    %s = arith.addf %square, %one : f64
    %root = math.sqrt %s : f64
    %q = arith.divf %in0, %root : f64
    linalg.yield %q : f64
  } -> tensor<13xf64>
  return %r : tensor<13xf64>
}
