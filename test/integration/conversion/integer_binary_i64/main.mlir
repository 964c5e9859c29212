// Operations of i64, which wrap, on all pairs of values at the limits.
func.func @main(%x0: tensor<45xi64>, %x1: tensor<45xi64>) -> (tensor<45xi64>, tensor<45xi64>, tensor<45xi64>, tensor<45xi64>, tensor<45xi64>, tensor<45xi64>, tensor<45xi64>, tensor<45xi64>, tensor<45xi64>, tensor<45xi64>) {
  %r0_empty = tensor.empty() : tensor<45xi64>
  %r0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0, %x1 : tensor<45xi64>, tensor<45xi64>) outs(%r0_empty : tensor<45xi64>) {
  ^bb0(%in0: i64, %in1: i64, %out0: i64):
    %v = arith.addi %in0, %in1 : i64
    linalg.yield %v : i64
  } -> tensor<45xi64>
  %r1_empty = tensor.empty() : tensor<45xi64>
  %r1 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0, %x1 : tensor<45xi64>, tensor<45xi64>) outs(%r1_empty : tensor<45xi64>) {
  ^bb0(%in0: i64, %in1: i64, %out0: i64):
    %v = arith.subi %in0, %in1 : i64
    linalg.yield %v : i64
  } -> tensor<45xi64>
  %r2_empty = tensor.empty() : tensor<45xi64>
  %r2 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0, %x1 : tensor<45xi64>, tensor<45xi64>) outs(%r2_empty : tensor<45xi64>) {
  ^bb0(%in0: i64, %in1: i64, %out0: i64):
    %v = arith.muli %in0, %in1 : i64
    linalg.yield %v : i64
  } -> tensor<45xi64>
  %r3_empty = tensor.empty() : tensor<45xi64>
  %r3 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0, %x1 : tensor<45xi64>, tensor<45xi64>) outs(%r3_empty : tensor<45xi64>) {
  ^bb0(%in0: i64, %in1: i64, %out0: i64):
    %v = arith.andi %in0, %in1 : i64
    linalg.yield %v : i64
  } -> tensor<45xi64>
  %r4_empty = tensor.empty() : tensor<45xi64>
  %r4 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0, %x1 : tensor<45xi64>, tensor<45xi64>) outs(%r4_empty : tensor<45xi64>) {
  ^bb0(%in0: i64, %in1: i64, %out0: i64):
    %v = arith.ori %in0, %in1 : i64
    linalg.yield %v : i64
  } -> tensor<45xi64>
  %r5_empty = tensor.empty() : tensor<45xi64>
  %r5 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0, %x1 : tensor<45xi64>, tensor<45xi64>) outs(%r5_empty : tensor<45xi64>) {
  ^bb0(%in0: i64, %in1: i64, %out0: i64):
    %v = arith.xori %in0, %in1 : i64
    linalg.yield %v : i64
  } -> tensor<45xi64>
  %r6_empty = tensor.empty() : tensor<45xi64>
  %r6 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0, %x1 : tensor<45xi64>, tensor<45xi64>) outs(%r6_empty : tensor<45xi64>) {
  ^bb0(%in0: i64, %in1: i64, %out0: i64):
    %v = arith.maxsi %in0, %in1 : i64
    linalg.yield %v : i64
  } -> tensor<45xi64>
  %r7_empty = tensor.empty() : tensor<45xi64>
  %r7 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0, %x1 : tensor<45xi64>, tensor<45xi64>) outs(%r7_empty : tensor<45xi64>) {
  ^bb0(%in0: i64, %in1: i64, %out0: i64):
    %v = arith.minsi %in0, %in1 : i64
    linalg.yield %v : i64
  } -> tensor<45xi64>
  %r8_empty = tensor.empty() : tensor<45xi64>
  %r8 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0, %x1 : tensor<45xi64>, tensor<45xi64>) outs(%r8_empty : tensor<45xi64>) {
  ^bb0(%in0: i64, %in1: i64, %out0: i64):
    %v = arith.maxui %in0, %in1 : i64
    linalg.yield %v : i64
  } -> tensor<45xi64>
  %r9_empty = tensor.empty() : tensor<45xi64>
  %r9 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0, %x1 : tensor<45xi64>, tensor<45xi64>) outs(%r9_empty : tensor<45xi64>) {
  ^bb0(%in0: i64, %in1: i64, %out0: i64):
    %v = arith.minui %in0, %in1 : i64
    linalg.yield %v : i64
  } -> tensor<45xi64>
  return %r0, %r1, %r2, %r3, %r4, %r5, %r6, %r7, %r8, %r9 : tensor<45xi64>, tensor<45xi64>, tensor<45xi64>, tensor<45xi64>, tensor<45xi64>, tensor<45xi64>, tensor<45xi64>, tensor<45xi64>, tensor<45xi64>, tensor<45xi64>
}
