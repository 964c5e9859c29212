// The destination is an argument whose contents the body ignores; it is also returned unchanged.
func.func @main(%x: tensor<7x5xf32>, %y: tensor<7x5xf32>) -> (tensor<7x5xf32>, tensor<7x5xf32>) {
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<7x5xf32>) outs(%y : tensor<7x5xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %s = arith.negf %in0 : f32
    linalg.yield %s : f32
  } -> tensor<7x5xf32>
  return %r, %y : tensor<7x5xf32>, tensor<7x5xf32>
}
