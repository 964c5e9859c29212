// A sum over all dimensions into a 0-d result.
func.func @main(%x: tensor<7x5xf32>) -> tensor<f32> {
  %start_value = arith.constant 0.0 : f32
  %start_empty = tensor.empty() : tensor<f32>
  %start = linalg.fill ins(%start_value : f32) outs(%start_empty : tensor<f32>) -> tensor<f32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> ()>], iterator_types = ["reduction", "reduction"]} ins(%x : tensor<7x5xf32>) outs(%start : tensor<f32>) {
  ^bb0(%in0: f32, %out0: f32):
    %v = arith.addf %out0, %in0 : f32
    linalg.yield %v : f32
  } -> tensor<f32>
  return %r : tensor<f32>
}
