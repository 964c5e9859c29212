// The destination is an argument that the body reads; the argument keeps its contents.
func.func @main(%x: tensor<?x5xf32>, %y: tensor<?x5xf32>) -> (tensor<?x5xf32>, tensor<?x5xf32>) {
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<?x5xf32>) outs(%y : tensor<?x5xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %s = arith.subf %out0, %in0 : f32
    linalg.yield %s : f32
  } -> tensor<?x5xf32>
  return %r, %y : tensor<?x5xf32>, tensor<?x5xf32>
}
