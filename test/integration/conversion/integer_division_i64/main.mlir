// Divisions and remainders of i64: toward zero, down, up, unsigned.
func.func @main(%x0: tensor<49xi64>, %x1: tensor<49xi64>) -> (tensor<49xi64>, tensor<49xi64>, tensor<49xi64>, tensor<49xi64>, tensor<49xi64>, tensor<49xi64>, tensor<49xi64>) {
  %r0_empty = tensor.empty() : tensor<49xi64>
  %r0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0, %x1 : tensor<49xi64>, tensor<49xi64>) outs(%r0_empty : tensor<49xi64>) {
  ^bb0(%in0: i64, %in1: i64, %out0: i64):
    %v = arith.divsi %in0, %in1 : i64
    linalg.yield %v : i64
  } -> tensor<49xi64>
  %r1_empty = tensor.empty() : tensor<49xi64>
  %r1 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0, %x1 : tensor<49xi64>, tensor<49xi64>) outs(%r1_empty : tensor<49xi64>) {
  ^bb0(%in0: i64, %in1: i64, %out0: i64):
    %v = arith.remsi %in0, %in1 : i64
    linalg.yield %v : i64
  } -> tensor<49xi64>
  %r2_empty = tensor.empty() : tensor<49xi64>
  %r2 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0, %x1 : tensor<49xi64>, tensor<49xi64>) outs(%r2_empty : tensor<49xi64>) {
  ^bb0(%in0: i64, %in1: i64, %out0: i64):
    %v = arith.floordivsi %in0, %in1 : i64
    linalg.yield %v : i64
  } -> tensor<49xi64>
  %r3_empty = tensor.empty() : tensor<49xi64>
  %r3 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0, %x1 : tensor<49xi64>, tensor<49xi64>) outs(%r3_empty : tensor<49xi64>) {
  ^bb0(%in0: i64, %in1: i64, %out0: i64):
    %v = arith.ceildivsi %in0, %in1 : i64
    linalg.yield %v : i64
  } -> tensor<49xi64>
  %r4_empty = tensor.empty() : tensor<49xi64>
  %r4 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0, %x1 : tensor<49xi64>, tensor<49xi64>) outs(%r4_empty : tensor<49xi64>) {
  ^bb0(%in0: i64, %in1: i64, %out0: i64):
    %v = arith.divui %in0, %in1 : i64
    linalg.yield %v : i64
  } -> tensor<49xi64>
  %r5_empty = tensor.empty() : tensor<49xi64>
  %r5 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0, %x1 : tensor<49xi64>, tensor<49xi64>) outs(%r5_empty : tensor<49xi64>) {
  ^bb0(%in0: i64, %in1: i64, %out0: i64):
    %v = arith.remui %in0, %in1 : i64
    linalg.yield %v : i64
  } -> tensor<49xi64>
  %r6_empty = tensor.empty() : tensor<49xi64>
  %r6 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0, %x1 : tensor<49xi64>, tensor<49xi64>) outs(%r6_empty : tensor<49xi64>) {
  ^bb0(%in0: i64, %in1: i64, %out0: i64):
    %v = arith.ceildivui %in0, %in1 : i64
    linalg.yield %v : i64
  } -> tensor<49xi64>
  return %r0, %r1, %r2, %r3, %r4, %r5, %r6 : tensor<49xi64>, tensor<49xi64>, tensor<49xi64>, tensor<49xi64>, tensor<49xi64>, tensor<49xi64>, tensor<49xi64>
}
