// A generic with an unused result, and an unused argument.
func.func @main(%x: tensor<7x5xf32>, %unused: tensor<3xi8>) -> tensor<7x5xf32> {
  %a_empty = tensor.empty() : tensor<7x5xf32>
  %a = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<7x5xf32>) outs(%a_empty : tensor<7x5xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %s = arith.negf %in0 : f32
    linalg.yield %s : f32
  } -> tensor<7x5xf32>
  %b_empty = tensor.empty() : tensor<7x5xf32>
  %b = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<7x5xf32>) outs(%b_empty : tensor<7x5xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %s = arith.addf %in0, %in0 : f32
    linalg.yield %s : f32
  } -> tensor<7x5xf32>
  return %b : tensor<7x5xf32>
}
