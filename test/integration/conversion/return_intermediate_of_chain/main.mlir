// A value that another op could overwrite in place is also returned.
func.func @main(%x: tensor<7xf32>) -> (tensor<7xf32>, tensor<7xf32>) {
  %a_empty = tensor.empty() : tensor<7xf32>
  %a = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x : tensor<7xf32>) outs(%a_empty : tensor<7xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %s = arith.negf %in0 : f32
    linalg.yield %s : f32
  } -> tensor<7xf32>
  %b = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x : tensor<7xf32>) outs(%a : tensor<7xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %s = arith.mulf %in0, %out0 : f32
    linalg.yield %s : f32
  } -> tensor<7xf32>
  return %a, %b : tensor<7xf32>, tensor<7xf32>
}
