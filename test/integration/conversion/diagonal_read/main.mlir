// A map that uses one loop twice.
func.func @main(%x: tensor<7x7xf32>) -> tensor<7xf32> {
  %r_empty = tensor.empty() : tensor<7xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i, i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x : tensor<7x7xf32>) outs(%r_empty : tensor<7xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    linalg.yield %in0 : f32
  } -> tensor<7xf32>
  return %r : tensor<7xf32>
}
