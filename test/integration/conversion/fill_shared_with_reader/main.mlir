// One fill starts a reduction, is read by a generic and is returned.
func.func @main(%x: tensor<7x5xf32>) -> (tensor<7xf32>, tensor<7xf32>, tensor<7xf32>) {
  %two_value = arith.constant 2.0 : f32
  %two_empty = tensor.empty() : tensor<7xf32>
  %two = linalg.fill ins(%two_value : f32) outs(%two_empty : tensor<7xf32>) -> tensor<7xf32>
  %sum = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<7x5xf32>) outs(%two : tensor<7xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %s = arith.addf %out0, %in0 : f32
    linalg.yield %s : f32
  } -> tensor<7xf32>
  %d_empty = tensor.empty() : tensor<7xf32>
  %d = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%sum, %two : tensor<7xf32>, tensor<7xf32>) outs(%d_empty : tensor<7xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %q = arith.divf %in0, %in1 : f32
    linalg.yield %q : f32
  } -> tensor<7xf32>
  return %sum, %d, %two : tensor<7xf32>, tensor<7xf32>, tensor<7xf32>
}
