// One head: scores, softmax, values.
func.func @main(%query: tensor<7x5xf32>, %key: tensor<7x5xf32>, %value: tensor<7x3xf32>) -> tensor<7x3xf32> {
  %zero_value = arith.constant 0.0 : f32
  %zero_empty = tensor.empty() : tensor<7x7xf32>
  %zero = linalg.fill ins(%zero_value : f32) outs(%zero_empty : tensor<7x7xf32>) -> tensor<7x7xf32>
  %scores = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>] ins(%query, %key : tensor<7x5xf32>, tensor<7x5xf32>) outs(%zero : tensor<7x7xf32>) -> tensor<7x7xf32>
  %p_lowest_value = arith.constant 0xFF800000 : f32
  %p_lowest_empty = tensor.empty() : tensor<7x1xf32>
  %p_lowest = linalg.fill ins(%p_lowest_value : f32) outs(%p_lowest_empty : tensor<7x1xf32>) -> tensor<7x1xf32>
  %p_max = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, 0)>], iterator_types = ["parallel", "reduction"]} ins(%scores : tensor<7x7xf32>) outs(%p_lowest : tensor<7x1xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %m = arith.maximumf %in0, %out0 : f32
    linalg.yield %m : f32
  } -> tensor<7x1xf32>
  %p_shifted_empty = tensor.empty() : tensor<7x7xf32>
  %p_shifted = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, 0)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%scores, %p_max : tensor<7x7xf32>, tensor<7x1xf32>) outs(%p_shifted_empty : tensor<7x7xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %d = arith.subf %in0, %in1 : f32
    linalg.yield %d : f32
  } -> tensor<7x7xf32>
  %p_exp_empty = tensor.empty() : tensor<7x7xf32>
  %p_exp = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%p_shifted : tensor<7x7xf32>) outs(%p_exp_empty : tensor<7x7xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %e = math.exp %in0 : f32
    linalg.yield %e : f32
  } -> tensor<7x7xf32>
  %p_zero_value = arith.constant 0.0 : f32
  %p_zero_empty = tensor.empty() : tensor<7x1xf32>
  %p_zero = linalg.fill ins(%p_zero_value : f32) outs(%p_zero_empty : tensor<7x1xf32>) -> tensor<7x1xf32>
  %p_sum = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, 0)>], iterator_types = ["parallel", "reduction"]} ins(%p_exp : tensor<7x7xf32>) outs(%p_zero : tensor<7x1xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %s = arith.addf %in0, %out0 : f32
    linalg.yield %s : f32
  } -> tensor<7x1xf32>
  %p_empty = tensor.empty() : tensor<7x7xf32>
  %p = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, 0)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%p_exp, %p_sum : tensor<7x7xf32>, tensor<7x1xf32>) outs(%p_empty : tensor<7x7xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %q = arith.divf %in0, %in1 : f32
    linalg.yield %q : f32
  } -> tensor<7x7xf32>
  %start_value = arith.constant 0.0 : f32
  %start_empty = tensor.empty() : tensor<7x3xf32>
  %start = linalg.fill ins(%start_value : f32) outs(%start_empty : tensor<7x3xf32>) -> tensor<7x3xf32>
  %r = linalg.matmul ins(%p, %value : tensor<7x7xf32>, tensor<7x3xf32>) outs(%start : tensor<7x3xf32>) -> tensor<7x3xf32>
  return %r : tensor<7x3xf32>
}
