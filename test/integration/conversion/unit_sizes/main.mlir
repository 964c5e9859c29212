// Sizes of one, and a rank of five.
func.func @main(%x: tensor<1x3x1x2x1xf32>) -> tensor<1x3x1x2x1xf32> {
  %r_empty = tensor.empty() : tensor<1x3x1x2x1xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j, k, l, m) -> (i, j, k, l, m)>, affine_map<(i, j, k, l, m) -> (i, j, k, l, m)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%x : tensor<1x3x1x2x1xf32>) outs(%r_empty : tensor<1x3x1x2x1xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %s = arith.addf %in0, %in0 : f32
    linalg.yield %s : f32
  } -> tensor<1x3x1x2x1xf32>
  return %r : tensor<1x3x1x2x1xf32>
}
