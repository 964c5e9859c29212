// index_cast and index_castui to and from index inside the body.
func.func @main(%x0: tensor<4xi32>) -> (tensor<4xi64>, tensor<4xi64>) {
  %r0_empty = tensor.empty() : tensor<4xi64>
  %r0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0 : tensor<4xi32>) outs(%r0_empty : tensor<4xi64>) {
  ^bb0(%in0: i32, %out0: i64):
    %v = arith.index_cast %in0 : i32 to index
    %w = arith.index_cast %v : index to i64
    linalg.yield %w : i64
  } -> tensor<4xi64>
  %r1_empty = tensor.empty() : tensor<4xi64>
  %r1 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0 : tensor<4xi32>) outs(%r1_empty : tensor<4xi64>) {
  ^bb0(%in0: i32, %out0: i64):
    %v = arith.index_castui %in0 : i32 to index
    %w = arith.index_cast %v : index to i64
    linalg.yield %w : i64
  } -> tensor<4xi64>
  return %r0, %r1 : tensor<4xi64>, tensor<4xi64>
}
