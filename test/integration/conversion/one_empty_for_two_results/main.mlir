// Two generics write into the same tensor.empty: two values, two buffers.
func.func @main(%x: tensor<7x5xf32>) -> (tensor<7x5xf32>, tensor<7x5xf32>) {
  %e = tensor.empty() : tensor<7x5xf32>
  %a = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<7x5xf32>) outs(%e : tensor<7x5xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %s = arith.negf %in0 : f32
    linalg.yield %s : f32
  } -> tensor<7x5xf32>
  %b = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<7x5xf32>) outs(%e : tensor<7x5xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %s = arith.mulf %in0, %in0 : f32
    linalg.yield %s : f32
  } -> tensor<7x5xf32>
  return %a, %b : tensor<7x5xf32>, tensor<7x5xf32>
}
