// A reduction over a static size of zero.
func.func @main(%x: tensor<3x0xf32>) -> tensor<3xf32> {
  %start_value = arith.constant 2.5 : f32
  %start_empty = tensor.empty() : tensor<3xf32>
  %start = linalg.fill ins(%start_value : f32) outs(%start_empty : tensor<3xf32>) -> tensor<3xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<3x0xf32>) outs(%start : tensor<3xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %s = arith.addf %in0, %out0 : f32
    linalg.yield %s : f32
  } -> tensor<3xf32>
  return %r : tensor<3xf32>
}
