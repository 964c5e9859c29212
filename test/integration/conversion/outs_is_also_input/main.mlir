// The destination is also an input, read at another index: no update in place.
func.func @main(%x: tensor<7x7xf32>) -> tensor<7x7xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<7x7xf32>) outs(%x : tensor<7x7xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %s = arith.subf %in0, %out0 : f32
    linalg.yield %s : f32
  } -> tensor<7x7xf32>
  return %r : tensor<7x7xf32>
}
