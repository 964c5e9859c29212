// A reduction whose fill value is an argument of the function, not a constant.
func.func @main(%x: tensor<7x5xf32>, %start: f32) -> tensor<7xf32> {
  %e = tensor.empty() : tensor<7xf32>
  %f = linalg.fill ins(%start : f32) outs(%e : tensor<7xf32>) -> tensor<7xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<7x5xf32>) outs(%f : tensor<7xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %s = arith.addf %out0, %in0 : f32
    linalg.yield %s : f32
  } -> tensor<7xf32>
  return %r : tensor<7xf32>
}
