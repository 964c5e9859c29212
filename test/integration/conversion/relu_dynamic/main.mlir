// A unary body that contains a constant; a dynamic size.
func.func @main(%x: tensor<?x5xf32>) -> tensor<?x5xf32> {
  %n_axis = arith.constant 0 : index
  %n = tensor.dim %x, %n_axis : tensor<?x5xf32>
  %r_empty = tensor.empty(%n) : tensor<?x5xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<?x5xf32>) outs(%r_empty : tensor<?x5xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %zero = arith.constant 0.0 : f32
    %s = arith.maximumf %in0, %zero : f32
    linalg.yield %s : f32
  } -> tensor<?x5xf32>
  return %r : tensor<?x5xf32>
}
