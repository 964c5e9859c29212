// A sum over two dimensions that are not adjacent.
func.func @main(%x: tensor<3x7x2xf32>) -> tensor<7xf32> {
  %start_value = arith.constant 0.0 : f32
  %start_empty = tensor.empty() : tensor<7xf32>
  %start = linalg.fill ins(%start_value : f32) outs(%start_empty : tensor<7xf32>) -> tensor<7xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, j, k)>, affine_map<(i, j, k) -> (j)>], iterator_types = ["reduction", "parallel", "reduction"]} ins(%x : tensor<3x7x2xf32>) outs(%start : tensor<7xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %v = arith.addf %out0, %in0 : f32
    linalg.yield %v : f32
  } -> tensor<7xf32>
  return %r : tensor<7xf32>
}
