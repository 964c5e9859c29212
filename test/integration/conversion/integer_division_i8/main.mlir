// Divisions and remainders of i8: toward zero, down, up, unsigned.
func.func @main(%x0: tensor<49xi8>, %x1: tensor<49xi8>) -> (tensor<49xi8>, tensor<49xi8>, tensor<49xi8>, tensor<49xi8>, tensor<49xi8>, tensor<49xi8>, tensor<49xi8>) {
  %r0_empty = tensor.empty() : tensor<49xi8>
  %r0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0, %x1 : tensor<49xi8>, tensor<49xi8>) outs(%r0_empty : tensor<49xi8>) {
  ^bb0(%in0: i8, %in1: i8, %out0: i8):
    %v = arith.divsi %in0, %in1 : i8
    linalg.yield %v : i8
  } -> tensor<49xi8>
  %r1_empty = tensor.empty() : tensor<49xi8>
  %r1 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0, %x1 : tensor<49xi8>, tensor<49xi8>) outs(%r1_empty : tensor<49xi8>) {
  ^bb0(%in0: i8, %in1: i8, %out0: i8):
    %v = arith.remsi %in0, %in1 : i8
    linalg.yield %v : i8
  } -> tensor<49xi8>
  %r2_empty = tensor.empty() : tensor<49xi8>
  %r2 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0, %x1 : tensor<49xi8>, tensor<49xi8>) outs(%r2_empty : tensor<49xi8>) {
  ^bb0(%in0: i8, %in1: i8, %out0: i8):
    %v = arith.floordivsi %in0, %in1 : i8
    linalg.yield %v : i8
  } -> tensor<49xi8>
  %r3_empty = tensor.empty() : tensor<49xi8>
  %r3 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0, %x1 : tensor<49xi8>, tensor<49xi8>) outs(%r3_empty : tensor<49xi8>) {
  ^bb0(%in0: i8, %in1: i8, %out0: i8):
    %v = arith.ceildivsi %in0, %in1 : i8
    linalg.yield %v : i8
  } -> tensor<49xi8>
  %r4_empty = tensor.empty() : tensor<49xi8>
  %r4 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0, %x1 : tensor<49xi8>, tensor<49xi8>) outs(%r4_empty : tensor<49xi8>) {
  ^bb0(%in0: i8, %in1: i8, %out0: i8):
    %v = arith.divui %in0, %in1 : i8
    linalg.yield %v : i8
  } -> tensor<49xi8>
  %r5_empty = tensor.empty() : tensor<49xi8>
  %r5 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0, %x1 : tensor<49xi8>, tensor<49xi8>) outs(%r5_empty : tensor<49xi8>) {
  ^bb0(%in0: i8, %in1: i8, %out0: i8):
    %v = arith.remui %in0, %in1 : i8
    linalg.yield %v : i8
  } -> tensor<49xi8>
  %r6_empty = tensor.empty() : tensor<49xi8>
  %r6 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0, %x1 : tensor<49xi8>, tensor<49xi8>) outs(%r6_empty : tensor<49xi8>) {
  ^bb0(%in0: i8, %in1: i8, %out0: i8):
    %v = arith.ceildivui %in0, %in1 : i8
    linalg.yield %v : i8
  } -> tensor<49xi8>
  return %r0, %r1, %r2, %r3, %r4, %r5, %r6 : tensor<49xi8>, tensor<49xi8>, tensor<49xi8>, tensor<49xi8>, tensor<49xi8>, tensor<49xi8>, tensor<49xi8>
}
