// A size enters the computation and the size of another result.
func.func @main(%x: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xi64>) {
  %n_axis = arith.constant 0 : index
  %n = tensor.dim %x, %n_axis : tensor<?xf32>
  %n_int = arith.index_cast %n : index to i64
  %n_float = arith.sitofp %n_int : i64 to f32
  %r_empty = tensor.empty(%n) : tensor<?xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x : tensor<?xf32>) outs(%r_empty : tensor<?xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %q = arith.divf %in0, %n_float : f32
    linalg.yield %q : f32
  } -> tensor<?xf32>
  %two = arith.constant 2 : index
  %p = arith.muli %n, %two : index
  %m = arith.addi %p, %two : index
  %t_empty = tensor.empty(%m) : tensor<?xi64>
  %t = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%t_empty : tensor<?xi64>) {
  ^bb0(%out0: i64):
    %i = linalg.index 0 : index
    %d = arith.subi %n, %i : index
    %v = arith.index_cast %d : index to i64
    linalg.yield %v : i64
  } -> tensor<?xi64>
  return %r, %t : tensor<?xf32>, tensor<?xi64>
}
