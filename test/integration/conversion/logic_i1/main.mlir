// Operations of i1: addition is xor, multiplication is and.
func.func @main(%x0: tensor<4xi1>, %x1: tensor<4xi1>) -> (tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>) {
  %r0_empty = tensor.empty() : tensor<4xi1>
  %r0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0, %x1 : tensor<4xi1>, tensor<4xi1>) outs(%r0_empty : tensor<4xi1>) {
  ^bb0(%in0: i1, %in1: i1, %out0: i1):
    %v = arith.andi %in0, %in1 : i1
    linalg.yield %v : i1
  } -> tensor<4xi1>
  %r1_empty = tensor.empty() : tensor<4xi1>
  %r1 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0, %x1 : tensor<4xi1>, tensor<4xi1>) outs(%r1_empty : tensor<4xi1>) {
  ^bb0(%in0: i1, %in1: i1, %out0: i1):
    %v = arith.ori %in0, %in1 : i1
    linalg.yield %v : i1
  } -> tensor<4xi1>
  %r2_empty = tensor.empty() : tensor<4xi1>
  %r2 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0, %x1 : tensor<4xi1>, tensor<4xi1>) outs(%r2_empty : tensor<4xi1>) {
  ^bb0(%in0: i1, %in1: i1, %out0: i1):
    %v = arith.xori %in0, %in1 : i1
    linalg.yield %v : i1
  } -> tensor<4xi1>
  %r3_empty = tensor.empty() : tensor<4xi1>
  %r3 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0, %x1 : tensor<4xi1>, tensor<4xi1>) outs(%r3_empty : tensor<4xi1>) {
  ^bb0(%in0: i1, %in1: i1, %out0: i1):
    %v = arith.addi %in0, %in1 : i1
    linalg.yield %v : i1
  } -> tensor<4xi1>
  %r4_empty = tensor.empty() : tensor<4xi1>
  %r4 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0, %x1 : tensor<4xi1>, tensor<4xi1>) outs(%r4_empty : tensor<4xi1>) {
  ^bb0(%in0: i1, %in1: i1, %out0: i1):
    %v = arith.subi %in0, %in1 : i1
    linalg.yield %v : i1
  } -> tensor<4xi1>
  %r5_empty = tensor.empty() : tensor<4xi1>
  %r5 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0, %x1 : tensor<4xi1>, tensor<4xi1>) outs(%r5_empty : tensor<4xi1>) {
  ^bb0(%in0: i1, %in1: i1, %out0: i1):
    %v = arith.muli %in0, %in1 : i1
    linalg.yield %v : i1
  } -> tensor<4xi1>
  return %r0, %r1, %r2, %r3, %r4, %r5 : tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>
}
