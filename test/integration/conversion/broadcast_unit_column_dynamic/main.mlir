// An input of size one in a dimension that its map reads at 0, as torch-mlir emits it.
func.func @main(%x: tensor<?x5xf32>, %column: tensor<?x1xf32>) -> tensor<?x5xf32> {
  %n_axis = arith.constant 0 : index
  %n = tensor.dim %x, %n_axis : tensor<?x5xf32>
  %r_empty = tensor.empty(%n) : tensor<?x5xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, 0)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%x, %column : tensor<?x5xf32>, tensor<?x1xf32>) outs(%r_empty : tensor<?x5xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %s = arith.subf %in0, %in1 : f32
    linalg.yield %s : f32
  } -> tensor<?x5xf32>
  return %r : tensor<?x5xf32>
}
