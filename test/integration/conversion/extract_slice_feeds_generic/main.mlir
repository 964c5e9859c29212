// Three slices of one producer, as in attention.
func.func @main(%x: tensor<3x7x5xf32>) -> tensor<7x5xf32> {
  %a_empty = tensor.empty() : tensor<3x7x5xf32>
  %a = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, j, k)>, affine_map<(i, j, k) -> (i, j, k)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x : tensor<3x7x5xf32>) outs(%a_empty : tensor<3x7x5xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %s = arith.mulf %in0, %in0 : f32
    linalg.yield %s : f32
  } -> tensor<3x7x5xf32>
  %q = tensor.extract_slice %a[0, 0, 0] [1, 7, 5] [1, 1, 1] : tensor<3x7x5xf32> to tensor<7x5xf32>
  %k = tensor.extract_slice %a[1, 0, 0] [1, 7, 5] [1, 1, 1] : tensor<3x7x5xf32> to tensor<7x5xf32>
  %v = tensor.extract_slice %a[2, 0, 0] [1, 7, 5] [1, 1, 1] : tensor<3x7x5xf32> to tensor<7x5xf32>
  %r_empty = tensor.empty() : tensor<7x5xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%q, %k, %v : tensor<7x5xf32>, tensor<7x5xf32>, tensor<7x5xf32>) outs(%r_empty : tensor<7x5xf32>) {
  ^bb0(%in0: f32, %in1: f32, %in2: f32, %out0: f32):
    %p = arith.mulf %in0, %in1 : f32
    %s = arith.subf %p, %in2 : f32
    linalg.yield %s : f32
  } -> tensor<7x5xf32>
  return %r : tensor<7x5xf32>
}
