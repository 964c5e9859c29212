// Operations of i8, which wrap, on all pairs of values at the limits.
func.func @main(%x0: tensor<45xi8>, %x1: tensor<45xi8>) -> (tensor<45xi8>, tensor<45xi8>, tensor<45xi8>, tensor<45xi8>, tensor<45xi8>, tensor<45xi8>, tensor<45xi8>, tensor<45xi8>, tensor<45xi8>, tensor<45xi8>) {
  %r0_empty = tensor.empty() : tensor<45xi8>
  %r0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0, %x1 : tensor<45xi8>, tensor<45xi8>) outs(%r0_empty : tensor<45xi8>) {
  ^bb0(%in0: i8, %in1: i8, %out0: i8):
    %v = arith.addi %in0, %in1 : i8
    linalg.yield %v : i8
  } -> tensor<45xi8>
  %r1_empty = tensor.empty() : tensor<45xi8>
  %r1 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0, %x1 : tensor<45xi8>, tensor<45xi8>) outs(%r1_empty : tensor<45xi8>) {
  ^bb0(%in0: i8, %in1: i8, %out0: i8):
    %v = arith.subi %in0, %in1 : i8
    linalg.yield %v : i8
  } -> tensor<45xi8>
  %r2_empty = tensor.empty() : tensor<45xi8>
  %r2 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0, %x1 : tensor<45xi8>, tensor<45xi8>) outs(%r2_empty : tensor<45xi8>) {
  ^bb0(%in0: i8, %in1: i8, %out0: i8):
    %v = arith.muli %in0, %in1 : i8
    linalg.yield %v : i8
  } -> tensor<45xi8>
  %r3_empty = tensor.empty() : tensor<45xi8>
  %r3 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0, %x1 : tensor<45xi8>, tensor<45xi8>) outs(%r3_empty : tensor<45xi8>) {
  ^bb0(%in0: i8, %in1: i8, %out0: i8):
    %v = arith.andi %in0, %in1 : i8
    linalg.yield %v : i8
  } -> tensor<45xi8>
  %r4_empty = tensor.empty() : tensor<45xi8>
  %r4 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0, %x1 : tensor<45xi8>, tensor<45xi8>) outs(%r4_empty : tensor<45xi8>) {
  ^bb0(%in0: i8, %in1: i8, %out0: i8):
    %v = arith.ori %in0, %in1 : i8
    linalg.yield %v : i8
  } -> tensor<45xi8>
  %r5_empty = tensor.empty() : tensor<45xi8>
  %r5 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0, %x1 : tensor<45xi8>, tensor<45xi8>) outs(%r5_empty : tensor<45xi8>) {
  ^bb0(%in0: i8, %in1: i8, %out0: i8):
    %v = arith.xori %in0, %in1 : i8
    linalg.yield %v : i8
  } -> tensor<45xi8>
  %r6_empty = tensor.empty() : tensor<45xi8>
  %r6 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0, %x1 : tensor<45xi8>, tensor<45xi8>) outs(%r6_empty : tensor<45xi8>) {
  ^bb0(%in0: i8, %in1: i8, %out0: i8):
    %v = arith.maxsi %in0, %in1 : i8
    linalg.yield %v : i8
  } -> tensor<45xi8>
  %r7_empty = tensor.empty() : tensor<45xi8>
  %r7 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0, %x1 : tensor<45xi8>, tensor<45xi8>) outs(%r7_empty : tensor<45xi8>) {
  ^bb0(%in0: i8, %in1: i8, %out0: i8):
    %v = arith.minsi %in0, %in1 : i8
    linalg.yield %v : i8
  } -> tensor<45xi8>
  %r8_empty = tensor.empty() : tensor<45xi8>
  %r8 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0, %x1 : tensor<45xi8>, tensor<45xi8>) outs(%r8_empty : tensor<45xi8>) {
  ^bb0(%in0: i8, %in1: i8, %out0: i8):
    %v = arith.maxui %in0, %in1 : i8
    linalg.yield %v : i8
  } -> tensor<45xi8>
  %r9_empty = tensor.empty() : tensor<45xi8>
  %r9 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0, %x1 : tensor<45xi8>, tensor<45xi8>) outs(%r9_empty : tensor<45xi8>) {
  ^bb0(%in0: i8, %in1: i8, %out0: i8):
    %v = arith.minui %in0, %in1 : i8
    linalg.yield %v : i8
  } -> tensor<45xi8>
  return %r0, %r1, %r2, %r3, %r4, %r5, %r6, %r7, %r8, %r9 : tensor<45xi8>, tensor<45xi8>, tensor<45xi8>, tensor<45xi8>, tensor<45xi8>, tensor<45xi8>, tensor<45xi8>, tensor<45xi8>, tensor<45xi8>, tensor<45xi8>
}
