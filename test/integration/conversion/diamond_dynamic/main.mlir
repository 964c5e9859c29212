// One producer, two consumers, joined again; the producer is also returned.
func.func @main(%x: tensor<?x5xf32>) -> (tensor<?x5xf32>, tensor<?x5xf32>) {
  %n_axis = arith.constant 0 : index
  %n = tensor.dim %x, %n_axis : tensor<?x5xf32>
  %a_empty = tensor.empty(%n) : tensor<?x5xf32>
  %a = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<?x5xf32>) outs(%a_empty : tensor<?x5xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %s = arith.mulf %in0, %in0 : f32
    linalg.yield %s : f32
  } -> tensor<?x5xf32>
  %b_empty = tensor.empty(%n) : tensor<?x5xf32>
  %b = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<?x5xf32>) outs(%b_empty : tensor<?x5xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %s = arith.negf %in0 : f32
    linalg.yield %s : f32
  } -> tensor<?x5xf32>
  %c_empty = tensor.empty(%n) : tensor<?x5xf32>
  %c = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%a, %x : tensor<?x5xf32>, tensor<?x5xf32>) outs(%c_empty : tensor<?x5xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %s = arith.addf %in0, %in1 : f32
    linalg.yield %s : f32
  } -> tensor<?x5xf32>
  %d_empty = tensor.empty(%n) : tensor<?x5xf32>
  %d = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%b, %c : tensor<?x5xf32>, tensor<?x5xf32>) outs(%d_empty : tensor<?x5xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %s = arith.mulf %in0, %in1 : f32
    linalg.yield %s : f32
  } -> tensor<?x5xf32>
  return %d, %a : tensor<?x5xf32>, tensor<?x5xf32>
}
