// A reduction from f32 to i64 through i1.
func.func @main(%x: tensor<?x5xf32>) -> tensor<?xi64> {
  %n_axis = arith.constant 0 : index
  %n = tensor.dim %x, %n_axis : tensor<?x5xf32>
  %zero_value = arith.constant 0 : i64
  %zero_empty = tensor.empty(%n) : tensor<?xi64>
  %zero = linalg.fill ins(%zero_value : i64) outs(%zero_empty : tensor<?xi64>) -> tensor<?xi64>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<?x5xf32>) outs(%zero : tensor<?xi64>) {
  ^bb0(%in0: f32, %out0: i64):
    %limit = arith.constant 0.0 : f32
    %p = arith.cmpf ogt, %in0, %limit : f32
    %one = arith.extui %p : i1 to i64
    %s = arith.addi %out0, %one : i64
    linalg.yield %s : i64
  } -> tensor<?xi64>
  return %r : tensor<?xi64>
}
