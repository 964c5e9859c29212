// All predicates of cmpi on i1, whose true is -1 where it is signed.
func.func @main(%x0: tensor<4xi1>, %x1: tensor<4xi1>) -> (tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>) {
  %r0_empty = tensor.empty() : tensor<4xi1>
  %r0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0, %x1 : tensor<4xi1>, tensor<4xi1>) outs(%r0_empty : tensor<4xi1>) {
  ^bb0(%in0: i1, %in1: i1, %out0: i1):
    %v = arith.cmpi eq, %in0, %in1 : i1
    linalg.yield %v : i1
  } -> tensor<4xi1>
  %r1_empty = tensor.empty() : tensor<4xi1>
  %r1 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0, %x1 : tensor<4xi1>, tensor<4xi1>) outs(%r1_empty : tensor<4xi1>) {
  ^bb0(%in0: i1, %in1: i1, %out0: i1):
    %v = arith.cmpi ne, %in0, %in1 : i1
    linalg.yield %v : i1
  } -> tensor<4xi1>
  %r2_empty = tensor.empty() : tensor<4xi1>
  %r2 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0, %x1 : tensor<4xi1>, tensor<4xi1>) outs(%r2_empty : tensor<4xi1>) {
  ^bb0(%in0: i1, %in1: i1, %out0: i1):
    %v = arith.cmpi slt, %in0, %in1 : i1
    linalg.yield %v : i1
  } -> tensor<4xi1>
  %r3_empty = tensor.empty() : tensor<4xi1>
  %r3 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0, %x1 : tensor<4xi1>, tensor<4xi1>) outs(%r3_empty : tensor<4xi1>) {
  ^bb0(%in0: i1, %in1: i1, %out0: i1):
    %v = arith.cmpi sle, %in0, %in1 : i1
    linalg.yield %v : i1
  } -> tensor<4xi1>
  %r4_empty = tensor.empty() : tensor<4xi1>
  %r4 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0, %x1 : tensor<4xi1>, tensor<4xi1>) outs(%r4_empty : tensor<4xi1>) {
  ^bb0(%in0: i1, %in1: i1, %out0: i1):
    %v = arith.cmpi sgt, %in0, %in1 : i1
    linalg.yield %v : i1
  } -> tensor<4xi1>
  %r5_empty = tensor.empty() : tensor<4xi1>
  %r5 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0, %x1 : tensor<4xi1>, tensor<4xi1>) outs(%r5_empty : tensor<4xi1>) {
  ^bb0(%in0: i1, %in1: i1, %out0: i1):
    %v = arith.cmpi sge, %in0, %in1 : i1
    linalg.yield %v : i1
  } -> tensor<4xi1>
  %r6_empty = tensor.empty() : tensor<4xi1>
  %r6 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0, %x1 : tensor<4xi1>, tensor<4xi1>) outs(%r6_empty : tensor<4xi1>) {
  ^bb0(%in0: i1, %in1: i1, %out0: i1):
    %v = arith.cmpi ult, %in0, %in1 : i1
    linalg.yield %v : i1
  } -> tensor<4xi1>
  %r7_empty = tensor.empty() : tensor<4xi1>
  %r7 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0, %x1 : tensor<4xi1>, tensor<4xi1>) outs(%r7_empty : tensor<4xi1>) {
  ^bb0(%in0: i1, %in1: i1, %out0: i1):
    %v = arith.cmpi ule, %in0, %in1 : i1
    linalg.yield %v : i1
  } -> tensor<4xi1>
  %r8_empty = tensor.empty() : tensor<4xi1>
  %r8 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0, %x1 : tensor<4xi1>, tensor<4xi1>) outs(%r8_empty : tensor<4xi1>) {
  ^bb0(%in0: i1, %in1: i1, %out0: i1):
    %v = arith.cmpi ugt, %in0, %in1 : i1
    linalg.yield %v : i1
  } -> tensor<4xi1>
  %r9_empty = tensor.empty() : tensor<4xi1>
  %r9 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0, %x1 : tensor<4xi1>, tensor<4xi1>) outs(%r9_empty : tensor<4xi1>) {
  ^bb0(%in0: i1, %in1: i1, %out0: i1):
    %v = arith.cmpi uge, %in0, %in1 : i1
    linalg.yield %v : i1
  } -> tensor<4xi1>
  return %r0, %r1, %r2, %r3, %r4, %r5, %r6, %r7, %r8, %r9 : tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>
}
