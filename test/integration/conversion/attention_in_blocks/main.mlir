// Two products, and between them a scale, a mask and softmax of the rows of the first.
func.func @main(%query: tensor<2x16x4xf32>, %key: tensor<2x4x12xf32>, %value: tensor<2x12x8xf32>, %mask: tensor<16x12xf32>) -> tensor<2x16x8xf32> {
  %s0_value = arith.constant 0.0 : f32
  %s0_empty = tensor.empty() : tensor<2x16x12xf32>
  %s0 = linalg.fill ins(%s0_value : f32) outs(%s0_empty : tensor<2x16x12xf32>) -> tensor<2x16x12xf32>
  %qk = linalg.batch_matmul ins(%query, %key : tensor<2x16x4xf32>, tensor<2x4x12xf32>)
                     outs(%s0 : tensor<2x16x12xf32>) -> tensor<2x16x12xf32>
  %scores_empty = tensor.empty() : tensor<2x16x12xf32>
  %scores = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, j, k)>, affine_map<(i, j, k) -> (j, k)>, affine_map<(i, j, k) -> (i, j, k)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%qk, %mask : tensor<2x16x12xf32>, tensor<16x12xf32>) outs(%scores_empty : tensor<2x16x12xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %quarter = arith.constant 2.500000e-01 : f32
    %scaled = arith.mulf %in0, %quarter : f32
    %masked = arith.addf %scaled, %in1 : f32
    linalg.yield %masked : f32
  } -> tensor<2x16x12xf32>
  %w_lowest_value = arith.constant 0xFF800000 : f32
  %w_lowest_empty = tensor.empty() : tensor<2x16x1xf32>
  %w_lowest = linalg.fill ins(%w_lowest_value : f32) outs(%w_lowest_empty : tensor<2x16x1xf32>) -> tensor<2x16x1xf32>
  %w_max = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, j, k)>, affine_map<(i, j, k) -> (i, j, 0)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%scores : tensor<2x16x12xf32>) outs(%w_lowest : tensor<2x16x1xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %m = arith.maximumf %in0, %out0 : f32
    linalg.yield %m : f32
  } -> tensor<2x16x1xf32>
  %w_shifted_empty = tensor.empty() : tensor<2x16x12xf32>
  %w_shifted = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, j, k)>, affine_map<(i, j, k) -> (i, j, 0)>, affine_map<(i, j, k) -> (i, j, k)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%scores, %w_max : tensor<2x16x12xf32>, tensor<2x16x1xf32>) outs(%w_shifted_empty : tensor<2x16x12xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %d = arith.subf %in0, %in1 : f32
    linalg.yield %d : f32
  } -> tensor<2x16x12xf32>
  %w_exp_empty = tensor.empty() : tensor<2x16x12xf32>
  %w_exp = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, j, k)>, affine_map<(i, j, k) -> (i, j, k)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%w_shifted : tensor<2x16x12xf32>) outs(%w_exp_empty : tensor<2x16x12xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %e = math.exp %in0 : f32
    linalg.yield %e : f32
  } -> tensor<2x16x12xf32>
  %w_zero_value = arith.constant 0.0 : f32
  %w_zero_empty = tensor.empty() : tensor<2x16x1xf32>
  %w_zero = linalg.fill ins(%w_zero_value : f32) outs(%w_zero_empty : tensor<2x16x1xf32>) -> tensor<2x16x1xf32>
  %w_sum = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, j, k)>, affine_map<(i, j, k) -> (i, j, 0)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%w_exp : tensor<2x16x12xf32>) outs(%w_zero : tensor<2x16x1xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %s = arith.addf %in0, %out0 : f32
    linalg.yield %s : f32
  } -> tensor<2x16x1xf32>
  %w_empty = tensor.empty() : tensor<2x16x12xf32>
  %w = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, j, k)>, affine_map<(i, j, k) -> (i, j, 0)>, affine_map<(i, j, k) -> (i, j, k)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%w_exp, %w_sum : tensor<2x16x12xf32>, tensor<2x16x1xf32>) outs(%w_empty : tensor<2x16x12xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %q = arith.divf %in0, %in1 : f32
    linalg.yield %q : f32
  } -> tensor<2x16x12xf32>
  %r0_value = arith.constant 0.0 : f32
  %r0_empty = tensor.empty() : tensor<2x16x8xf32>
  %r0 = linalg.fill ins(%r0_value : f32) outs(%r0_empty : tensor<2x16x8xf32>) -> tensor<2x16x8xf32>
  %r = linalg.batch_matmul ins(%w, %value : tensor<2x16x12xf32>, tensor<2x12x8xf32>)
                     outs(%r0 : tensor<2x16x8xf32>) -> tensor<2x16x8xf32>
  return %r : tensor<2x16x8xf32>
}
