// One tensor is both inputs, once transposed.
func.func @main(%x: tensor<7x7xf32>) -> (tensor<7x7xf32>, tensor<7x7xf32>) {
  %square_empty = tensor.empty() : tensor<7x7xf32>
  %square = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%x, %x : tensor<7x7xf32>, tensor<7x7xf32>) outs(%square_empty : tensor<7x7xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %p = arith.mulf %in0, %in1 : f32
    linalg.yield %p : f32
  } -> tensor<7x7xf32>
  %skew_empty = tensor.empty() : tensor<7x7xf32>
  %skew = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%x, %x : tensor<7x7xf32>, tensor<7x7xf32>) outs(%skew_empty : tensor<7x7xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %d = arith.subf %in0, %in1 : f32
    linalg.yield %d : f32
  } -> tensor<7x7xf32>
  return %square, %skew : tensor<7x7xf32>, tensor<7x7xf32>
}
