// Three inputs, two dynamic sizes.
func.func @main(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>, %z: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %n_axis = arith.constant 0 : index
  %n = tensor.dim %x, %n_axis : tensor<?x?xf32>
  %m_axis = arith.constant 1 : index
  %m = tensor.dim %x, %m_axis : tensor<?x?xf32>
  %r_empty = tensor.empty(%n, %m) : tensor<?x?xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%x, %y, %z : tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>) outs(%r_empty : tensor<?x?xf32>) {
  ^bb0(%in0: f32, %in1: f32, %in2: f32, %out0: f32):
    %p = arith.mulf %in0, %in1 : f32
    %s = arith.addf %p, %in2 : f32
    linalg.yield %s : f32
  } -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}
