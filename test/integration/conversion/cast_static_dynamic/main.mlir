// tensor.cast from static to dynamic and back, with ops on both sides.
func.func @main(%x: tensor<7x5xf32>) -> tensor<7x5xf32> {
  %a = tensor.cast %x : tensor<7x5xf32> to tensor<?x5xf32>
  %n_axis = arith.constant 0 : index
  %n = tensor.dim %a, %n_axis : tensor<?x5xf32>
  %b_empty = tensor.empty(%n) : tensor<?x5xf32>
  %b = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<?x5xf32>) outs(%b_empty : tensor<?x5xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %s = arith.mulf %in0, %in0 : f32
    linalg.yield %s : f32
  } -> tensor<?x5xf32>
  %c = tensor.cast %b : tensor<?x5xf32> to tensor<7x5xf32>
  %r_empty = tensor.empty() : tensor<7x5xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<7x5xf32>) outs(%r_empty : tensor<7x5xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %s = arith.negf %in0 : f32
    linalg.yield %s : f32
  } -> tensor<7x5xf32>
  return %r : tensor<7x5xf32>
}
