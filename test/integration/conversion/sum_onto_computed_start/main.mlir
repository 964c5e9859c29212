// A reduction that starts from the result of another generic.
func.func @main(%x: tensor<7x5xf32>, %bias: tensor<7xf32>) -> tensor<7xf32> {
  %start_empty = tensor.empty() : tensor<7xf32>
  %start = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%bias : tensor<7xf32>) outs(%start_empty : tensor<7xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %s = arith.negf %in0 : f32
    linalg.yield %s : f32
  } -> tensor<7xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<7x5xf32>) outs(%start : tensor<7xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %s = arith.addf %out0, %in0 : f32
    linalg.yield %s : f32
  } -> tensor<7xf32>
  return %r : tensor<7xf32>
}
