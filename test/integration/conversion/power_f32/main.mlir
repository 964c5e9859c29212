// powf and atan2 on pairs of values.
func.func @main(%x0: tensor<90xf32>, %x1: tensor<90xf32>) -> (tensor<90xf32>, tensor<90xf32>) {
  %r0_empty = tensor.empty() : tensor<90xf32>
  %r0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0, %x1 : tensor<90xf32>, tensor<90xf32>) outs(%r0_empty : tensor<90xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %v = math.powf %in0, %in1 : f32
    linalg.yield %v : f32
  } -> tensor<90xf32>
  %r1_empty = tensor.empty() : tensor<90xf32>
  %r1 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0, %x1 : tensor<90xf32>, tensor<90xf32>) outs(%r1_empty : tensor<90xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %v = math.atan2 %in0, %in1 : f32
    linalg.yield %v : f32
  } -> tensor<90xf32>
  return %r0, %r1 : tensor<90xf32>, tensor<90xf32>
}
