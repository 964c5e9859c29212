// Maximum and index with both sizes dynamic, over the first dimension.
func.func @main(%x: tensor<?x?xf32>) -> (tensor<?xf32>, tensor<?xi64>) {
  %m_axis = arith.constant 1 : index
  %m = tensor.dim %x, %m_axis : tensor<?x?xf32>
  %zero_value = arith.constant 0 : i64
  %zero_empty = tensor.empty(%m) : tensor<?xi64>
  %zero = linalg.fill ins(%zero_value : i64) outs(%zero_empty : tensor<?xi64>) -> tensor<?xi64>
  %lowest_value = arith.constant 0xFF800000 : f32
  %lowest_empty = tensor.empty(%m) : tensor<?xf32>
  %lowest = linalg.fill ins(%lowest_value : f32) outs(%lowest_empty : tensor<?xf32>) -> tensor<?xf32>
  %max, %place = linalg.generic {indexing_maps = [affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<?x?xf32>) outs(%lowest, %zero : tensor<?xf32>, tensor<?xi64>) {
  ^bb0(%in0: f32, %out0: f32, %out1: i64):
    %at_index = linalg.index 1 : index
    %at = arith.index_cast %at_index : index to i64
    %best = arith.maximumf %in0, %out0 : f32
    %more = arith.cmpf ogt, %in0, %out0 : f32
    %best_at = arith.select %more, %at, %out1 : i64
    linalg.yield %best, %best_at : f32, i64
  } -> (tensor<?xf32>, tensor<?xi64>)
  return %max, %place : tensor<?xf32>, tensor<?xi64>
}
