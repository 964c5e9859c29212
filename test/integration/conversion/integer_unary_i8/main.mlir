// Absolute value and bit counts of i8.
func.func @main(%x0: tensor<9xi8>) -> (tensor<9xi8>, tensor<9xi8>, tensor<9xi8>, tensor<9xi8>) {
  %r0_empty = tensor.empty() : tensor<9xi8>
  %r0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0 : tensor<9xi8>) outs(%r0_empty : tensor<9xi8>) {
  ^bb0(%in0: i8, %out0: i8):
    %v = math.absi %in0 : i8
    linalg.yield %v : i8
  } -> tensor<9xi8>
  %r1_empty = tensor.empty() : tensor<9xi8>
  %r1 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0 : tensor<9xi8>) outs(%r1_empty : tensor<9xi8>) {
  ^bb0(%in0: i8, %out0: i8):
    %v = math.ctpop %in0 : i8
    linalg.yield %v : i8
  } -> tensor<9xi8>
  %r2_empty = tensor.empty() : tensor<9xi8>
  %r2 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0 : tensor<9xi8>) outs(%r2_empty : tensor<9xi8>) {
  ^bb0(%in0: i8, %out0: i8):
    %v = math.ctlz %in0 : i8
    linalg.yield %v : i8
  } -> tensor<9xi8>
  %r3_empty = tensor.empty() : tensor<9xi8>
  %r3 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0 : tensor<9xi8>) outs(%r3_empty : tensor<9xi8>) {
  ^bb0(%in0: i8, %out0: i8):
    %v = math.cttz %in0 : i8
    linalg.yield %v : i8
  } -> tensor<9xi8>
  return %r0, %r1, %r2, %r3 : tensor<9xi8>, tensor<9xi8>, tensor<9xi8>, tensor<9xi8>
}
