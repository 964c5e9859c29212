// The body extracts rows of a table by i64 indices.
func.func @main(%table: tensor<13x5xf32>, %ids: tensor<2x3xi64>) -> tensor<2x3x5xf32> {
  %r_empty = tensor.empty() : tensor<2x3x5xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, j)>, affine_map<(i, j, k) -> (i, j, k)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%ids : tensor<2x3xi64>) outs(%r_empty : tensor<2x3x5xf32>) {
  ^bb0(%in0: i64, %out0: f32):
    %row = arith.index_cast %in0 : i64 to index
    %k = linalg.index 2 : index
    %v = tensor.extract %table[%row, %k] : tensor<13x5xf32>
    linalg.yield %v : f32
  } -> tensor<2x3x5xf32>
  return %r : tensor<2x3x5xf32>
}
