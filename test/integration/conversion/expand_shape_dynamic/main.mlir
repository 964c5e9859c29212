// expand_shape: a dynamic dimension splits into a dynamic and a static one; an op before and one after it.
func.func @main(%x: tensor<?x5xf32>) -> tensor<?x3x5xf32> {
  %n_axis = arith.constant 0 : index
  %n = tensor.dim %x, %n_axis : tensor<?x5xf32>
  %three = arith.constant 3 : index
  %m = arith.divsi %n, %three : index
  %a_empty = tensor.empty(%n) : tensor<?x5xf32>
  %a = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<?x5xf32>) outs(%a_empty : tensor<?x5xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %s = arith.mulf %in0, %in0 : f32
    linalg.yield %s : f32
  } -> tensor<?x5xf32>
  %b = tensor.expand_shape %a [[0, 1], [2]] output_shape [%m, 3, 5] : tensor<?x5xf32> into tensor<?x3x5xf32>
  %r_empty = tensor.empty(%m) : tensor<?x3x5xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, j, k)>, affine_map<(i, j, k) -> (i, j, k)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%b : tensor<?x3x5xf32>) outs(%r_empty : tensor<?x3x5xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %s = arith.negf %in0 : f32
    linalg.yield %s : f32
  } -> tensor<?x3x5xf32>
  return %r : tensor<?x3x5xf32>
}
