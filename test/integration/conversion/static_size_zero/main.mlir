// A static size of zero.
func.func @main(%x: tensor<0x5xf32>) -> tensor<0x5xf32> {
  %r_empty = tensor.empty() : tensor<0x5xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<0x5xf32>) outs(%r_empty : tensor<0x5xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %s = arith.negf %in0 : f32
    linalg.yield %s : f32
  } -> tensor<0x5xf32>
  return %r : tensor<0x5xf32>
}
