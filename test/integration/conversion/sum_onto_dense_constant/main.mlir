// A reduction that starts from a constant that is not a splat.
func.func @main(%x: tensor<3x5xf32>) -> tensor<3xf32> {
  %start = arith.constant dense<[100.0, 200.0, 300.0]> : tensor<3xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<3x5xf32>) outs(%start : tensor<3xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %s = arith.addf %out0, %in0 : f32
    linalg.yield %s : f32
  } -> tensor<3xf32>
  return %r : tensor<3xf32>
}
