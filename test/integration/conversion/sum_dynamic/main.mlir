// A sum with both sizes dynamic; over an empty dimension the result is the start value.
func.func @main(%x: tensor<?x?xf32>) -> tensor<?xf32> {
  %n_axis = arith.constant 0 : index
  %n = tensor.dim %x, %n_axis : tensor<?x?xf32>
  %zero_value = arith.constant 0.0 : f32
  %zero_empty = tensor.empty(%n) : tensor<?xf32>
  %zero = linalg.fill ins(%zero_value : f32) outs(%zero_empty : tensor<?xf32>) -> tensor<?xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<?x?xf32>) outs(%zero : tensor<?xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %s = arith.addf %in0, %out0 : f32
    linalg.yield %s : f32
  } -> tensor<?xf32>
  return %r : tensor<?xf32>
}
