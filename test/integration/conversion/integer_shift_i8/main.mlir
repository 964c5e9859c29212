// Shifts of i8 by less than its width.
func.func @main(%x0: tensor<30xi8>, %x1: tensor<30xi8>) -> (tensor<30xi8>, tensor<30xi8>, tensor<30xi8>) {
  %r0_empty = tensor.empty() : tensor<30xi8>
  %r0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0, %x1 : tensor<30xi8>, tensor<30xi8>) outs(%r0_empty : tensor<30xi8>) {
  ^bb0(%in0: i8, %in1: i8, %out0: i8):
    %v = arith.shli %in0, %in1 : i8
    linalg.yield %v : i8
  } -> tensor<30xi8>
  %r1_empty = tensor.empty() : tensor<30xi8>
  %r1 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0, %x1 : tensor<30xi8>, tensor<30xi8>) outs(%r1_empty : tensor<30xi8>) {
  ^bb0(%in0: i8, %in1: i8, %out0: i8):
    %v = arith.shrsi %in0, %in1 : i8
    linalg.yield %v : i8
  } -> tensor<30xi8>
  %r2_empty = tensor.empty() : tensor<30xi8>
  %r2 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0, %x1 : tensor<30xi8>, tensor<30xi8>) outs(%r2_empty : tensor<30xi8>) {
  ^bb0(%in0: i8, %in1: i8, %out0: i8):
    %v = arith.shrui %in0, %in1 : i8
    linalg.yield %v : i8
  } -> tensor<30xi8>
  return %r0, %r1, %r2 : tensor<30xi8>, tensor<30xi8>, tensor<30xi8>
}
