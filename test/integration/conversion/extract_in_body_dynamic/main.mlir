// Like an embedding, but table and number of rows are dynamic, and negative indices count from the end.
func.func @main(%table: tensor<?x5xf32>, %ids: tensor<?xi64>) -> tensor<?x5xf32> {
  %n_axis = arith.constant 0 : index
  %n = tensor.dim %ids, %n_axis : tensor<?xi64>
  %rows_axis = arith.constant 0 : index
  %rows = tensor.dim %table, %rows_axis : tensor<?x5xf32>
  %rows_int = arith.index_cast %rows : index to i64
  %r_empty = tensor.empty(%n) : tensor<?x5xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%ids : tensor<?xi64>) outs(%r_empty : tensor<?x5xf32>) {
  ^bb0(%in0: i64, %out0: f32):
    %zero = arith.constant 0 : i64
    %negative = arith.cmpi slt, %in0, %zero : i64
    %wrapped = arith.addi %in0, %rows_int : i64
    %id = arith.select %negative, %wrapped, %in0 : i64
    %row = arith.index_cast %id : i64 to index
    %j = linalg.index 1 : index
    %v = tensor.extract %table[%row, %j] : tensor<?x5xf32>
    linalg.yield %v : f32
  } -> tensor<?x5xf32>
  return %r : tensor<?x5xf32>
}
