// The body uses scalar arguments of the function, one of them an index.
func.func @main(%x: tensor<?x5xf32>, %s: f32, %k: index) -> tensor<?x5xf32> {
  %n_axis = arith.constant 0 : index
  %n = tensor.dim %x, %n_axis : tensor<?x5xf32>
  %r_empty = tensor.empty(%n) : tensor<?x5xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<?x5xf32>) outs(%r_empty : tensor<?x5xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %k_int = arith.index_cast %k : index to i32
    %k_float = arith.sitofp %k_int : i32 to f32
    %p = arith.mulf %in0, %s : f32
    %d = arith.subf %p, %k_float : f32
    linalg.yield %d : f32
  } -> tensor<?x5xf32>
  return %r : tensor<?x5xf32>
}
