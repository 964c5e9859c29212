// A maximum that starts from -inf; a NaN is propagated.
func.func @main(%x: tensor<7x5xf32>) -> tensor<7xf32> {
  %start_value = arith.constant 0xFF800000 : f32
  %start_empty = tensor.empty() : tensor<7xf32>
  %start = linalg.fill ins(%start_value : f32) outs(%start_empty : tensor<7xf32>) -> tensor<7xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<7x5xf32>) outs(%start : tensor<7xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %v = arith.maximumf %out0, %in0 : f32
    linalg.yield %v : f32
  } -> tensor<7xf32>
  return %r : tensor<7xf32>
}
