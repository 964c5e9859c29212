// A sum whose reduction loops have another order than the dimensions.
func.func @main(%x: tensor<3x7x5xf32>) -> tensor<3xf32> {
  %start_value = arith.constant 0.0 : f32
  %start_empty = tensor.empty() : tensor<3xf32>
  %start = linalg.fill ins(%start_value : f32) outs(%start_empty : tensor<3xf32>) -> tensor<3xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, k, j)>, affine_map<(i, j, k) -> (i)>], iterator_types = ["parallel", "reduction", "reduction"]} ins(%x : tensor<3x7x5xf32>) outs(%start : tensor<3xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %v = arith.addf %out0, %in0 : f32
    linalg.yield %v : f32
  } -> tensor<3xf32>
  return %r : tensor<3xf32>
}
