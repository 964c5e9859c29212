// collapse_shape: two dynamic dimensions and a static one become one; an op before and one after it.
func.func @main(%x: tensor<?x?x3xf32>) -> tensor<?xf32> {
  %n_axis = arith.constant 0 : index
  %n = tensor.dim %x, %n_axis : tensor<?x?x3xf32>
  %m_axis = arith.constant 1 : index
  %m = tensor.dim %x, %m_axis : tensor<?x?x3xf32>
  %a_empty = tensor.empty(%n, %m) : tensor<?x?x3xf32>
  %a = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, j, k)>, affine_map<(i, j, k) -> (i, j, k)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x : tensor<?x?x3xf32>) outs(%a_empty : tensor<?x?x3xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %s = arith.mulf %in0, %in0 : f32
    linalg.yield %s : f32
  } -> tensor<?x?x3xf32>
  %b = tensor.collapse_shape %a [[0, 1, 2]] : tensor<?x?x3xf32> into tensor<?xf32>
  %k_axis = arith.constant 0 : index
  %k = tensor.dim %b, %k_axis : tensor<?xf32>
  %r_empty = tensor.empty(%k) : tensor<?xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%b : tensor<?xf32>) outs(%r_empty : tensor<?xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %s = arith.negf %in0 : f32
    linalg.yield %s : f32
  } -> tensor<?xf32>
  return %r : tensor<?xf32>
}
