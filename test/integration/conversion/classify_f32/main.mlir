// isnan, isinf, isfinite.
func.func @main(%x0: tensor<13xf32>) -> (tensor<13xi1>, tensor<13xi1>, tensor<13xi1>) {
  %r0_empty = tensor.empty() : tensor<13xi1>
  %r0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0 : tensor<13xf32>) outs(%r0_empty : tensor<13xi1>) {
  ^bb0(%in0: f32, %out0: i1):
    %v = math.isnan %in0 : f32
    linalg.yield %v : i1
  } -> tensor<13xi1>
  %r1_empty = tensor.empty() : tensor<13xi1>
  %r1 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0 : tensor<13xf32>) outs(%r1_empty : tensor<13xi1>) {
  ^bb0(%in0: f32, %out0: i1):
    %v = math.isinf %in0 : f32
    linalg.yield %v : i1
  } -> tensor<13xi1>
  %r2_empty = tensor.empty() : tensor<13xi1>
  %r2 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0 : tensor<13xf32>) outs(%r2_empty : tensor<13xi1>) {
  ^bb0(%in0: f32, %out0: i1):
    %v = math.isfinite %in0 : f32
    linalg.yield %v : i1
  } -> tensor<13xi1>
  return %r0, %r1, %r2 : tensor<13xi1>, tensor<13xi1>, tensor<13xi1>
}
