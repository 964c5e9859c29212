// linalg.index compared with linalg.index, selects between the input and -inf.
func.func @main(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %n_axis = arith.constant 0 : index
  %n = tensor.dim %x, %n_axis : tensor<?x?xf32>
  %m_axis = arith.constant 1 : index
  %m = tensor.dim %x, %m_axis : tensor<?x?xf32>
  %r_empty = tensor.empty(%n, %m) : tensor<?x?xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<?x?xf32>) outs(%r_empty : tensor<?x?xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %hidden = arith.cmpi sgt, %j, %i : index
    %lowest = arith.constant 0xFF800000 : f32
    %s = arith.select %hidden, %lowest, %in0 : f32
    linalg.yield %s : f32
  } -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}
