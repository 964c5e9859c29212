// Absolute value and bit counts of i32.
func.func @main(%x0: tensor<9xi32>) -> (tensor<9xi32>, tensor<9xi32>, tensor<9xi32>, tensor<9xi32>) {
  %r0_empty = tensor.empty() : tensor<9xi32>
  %r0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0 : tensor<9xi32>) outs(%r0_empty : tensor<9xi32>) {
  ^bb0(%in0: i32, %out0: i32):
    %v = math.absi %in0 : i32
    linalg.yield %v : i32
  } -> tensor<9xi32>
  %r1_empty = tensor.empty() : tensor<9xi32>
  %r1 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0 : tensor<9xi32>) outs(%r1_empty : tensor<9xi32>) {
  ^bb0(%in0: i32, %out0: i32):
    %v = math.ctpop %in0 : i32
    linalg.yield %v : i32
  } -> tensor<9xi32>
  %r2_empty = tensor.empty() : tensor<9xi32>
  %r2 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0 : tensor<9xi32>) outs(%r2_empty : tensor<9xi32>) {
  ^bb0(%in0: i32, %out0: i32):
    %v = math.ctlz %in0 : i32
    linalg.yield %v : i32
  } -> tensor<9xi32>
  %r3_empty = tensor.empty() : tensor<9xi32>
  %r3 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0 : tensor<9xi32>) outs(%r3_empty : tensor<9xi32>) {
  ^bb0(%in0: i32, %out0: i32):
    %v = math.cttz %in0 : i32
    linalg.yield %v : i32
  } -> tensor<9xi32>
  return %r0, %r1, %r2, %r3 : tensor<9xi32>, tensor<9xi32>, tensor<9xi32>, tensor<9xi32>
}
