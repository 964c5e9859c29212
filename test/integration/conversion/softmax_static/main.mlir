// softmax over the last dimension.
func.func @main(%x: tensor<7x13xf32>) -> tensor<7x13xf32> {
  %r_lowest_value = arith.constant 0xFF800000 : f32
  %r_lowest_empty = tensor.empty() : tensor<7x1xf32>
  %r_lowest = linalg.fill ins(%r_lowest_value : f32) outs(%r_lowest_empty : tensor<7x1xf32>) -> tensor<7x1xf32>
  %r_max = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, 0)>], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<7x13xf32>) outs(%r_lowest : tensor<7x1xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %m = arith.maximumf %in0, %out0 : f32
    linalg.yield %m : f32
  } -> tensor<7x1xf32>
  %r_shifted_empty = tensor.empty() : tensor<7x13xf32>
  %r_shifted = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, 0)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%x, %r_max : tensor<7x13xf32>, tensor<7x1xf32>) outs(%r_shifted_empty : tensor<7x13xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %d = arith.subf %in0, %in1 : f32
    linalg.yield %d : f32
  } -> tensor<7x13xf32>
  %r_exp_empty = tensor.empty() : tensor<7x13xf32>
  %r_exp = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%r_shifted : tensor<7x13xf32>) outs(%r_exp_empty : tensor<7x13xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %e = math.exp %in0 : f32
    linalg.yield %e : f32
  } -> tensor<7x13xf32>
  %r_zero_value = arith.constant 0.0 : f32
  %r_zero_empty = tensor.empty() : tensor<7x1xf32>
  %r_zero = linalg.fill ins(%r_zero_value : f32) outs(%r_zero_empty : tensor<7x1xf32>) -> tensor<7x1xf32>
  %r_sum = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, 0)>], iterator_types = ["parallel", "reduction"]} ins(%r_exp : tensor<7x13xf32>) outs(%r_zero : tensor<7x1xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %s = arith.addf %in0, %out0 : f32
    linalg.yield %s : f32
  } -> tensor<7x1xf32>
  %r_empty = tensor.empty() : tensor<7x13xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, 0)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%r_exp, %r_sum : tensor<7x13xf32>, tensor<7x1xf32>) outs(%r_empty : tensor<7x13xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %q = arith.divf %in0, %in1 : f32
    linalg.yield %q : f32
  } -> tensor<7x13xf32>
  return %r : tensor<7x13xf32>
}
