// A sum of sums, with a generic between them.
func.func @main(%x: tensor<3x7x5xf32>) -> tensor<3xf32> {
  %zero_a_value = arith.constant 0.0 : f32
  %zero_a_empty = tensor.empty() : tensor<3x7xf32>
  %zero_a = linalg.fill ins(%zero_a_value : f32) outs(%zero_a_empty : tensor<3x7xf32>) -> tensor<3x7xf32>
  %a = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, j, k)>, affine_map<(i, j, k) -> (i, j)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x : tensor<3x7x5xf32>) outs(%zero_a : tensor<3x7xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %s = arith.addf %out0, %in0 : f32
    linalg.yield %s : f32
  } -> tensor<3x7xf32>
  %p_empty = tensor.empty() : tensor<3x7xf32>
  %p = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<3x7xf32>) outs(%p_empty : tensor<3x7xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %s = math.absf %in0 : f32
    linalg.yield %s : f32
  } -> tensor<3x7xf32>
  %zero_b_value = arith.constant 0.0 : f32
  %zero_b_empty = tensor.empty() : tensor<3xf32>
  %zero_b = linalg.fill ins(%zero_b_value : f32) outs(%zero_b_empty : tensor<3xf32>) -> tensor<3xf32>
  %b = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%p : tensor<3x7xf32>) outs(%zero_b : tensor<3xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %s = arith.addf %out0, %in0 : f32
    linalg.yield %s : f32
  } -> tensor<3xf32>
  return %b : tensor<3xf32>
}
