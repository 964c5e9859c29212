// Maximum and its index as torch-mlir emits them; ties keep the first index, a NaN is propagated.
func.func @main(%x: tensor<7x5xf32>) -> (tensor<7xf32>, tensor<7xi64>) {
  %zero_value = arith.constant 0 : i64
  %zero_empty = tensor.empty() : tensor<7xi64>
  %zero = linalg.fill ins(%zero_value : i64) outs(%zero_empty : tensor<7xi64>) -> tensor<7xi64>
  %lowest_value = arith.constant 0xFF800000 : f32
  %lowest_empty = tensor.empty() : tensor<7xf32>
  %lowest = linalg.fill ins(%lowest_value : f32) outs(%lowest_empty : tensor<7xf32>) -> tensor<7xf32>
  %max, %place = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<7x5xf32>) outs(%lowest, %zero : tensor<7xf32>, tensor<7xi64>) {
  ^bb0(%in0: f32, %out0: f32, %out1: i64):
    %at_index = linalg.index 1 : index
    %at = arith.index_cast %at_index : index to i64
    %best = arith.maximumf %in0, %out0 : f32
    %more = arith.cmpf ogt, %in0, %out0 : f32
    %best_at = arith.select %more, %at, %out1 : i64
    linalg.yield %best, %best_at : f32, i64
  } -> (tensor<7xf32>, tensor<7xi64>)
  return %max, %place : tensor<7xf32>, tensor<7xi64>
}
