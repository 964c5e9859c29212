// A map that reads every second element.
func.func @main(%x: tensor<13xf32>) -> tensor<7xf32> {
  %r_empty = tensor.empty() : tensor<7xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i * 2)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x : tensor<13xf32>) outs(%r_empty : tensor<7xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    linalg.yield %in0 : f32
  } -> tensor<7xf32>
  return %r : tensor<7xf32>
}
