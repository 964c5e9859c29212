// Divisions and remainders of i32: toward zero, down, up, unsigned.
func.func @main(%x0: tensor<49xi32>, %x1: tensor<49xi32>) -> (tensor<49xi32>, tensor<49xi32>, tensor<49xi32>, tensor<49xi32>, tensor<49xi32>, tensor<49xi32>, tensor<49xi32>) {
  %r0_empty = tensor.empty() : tensor<49xi32>
  %r0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0, %x1 : tensor<49xi32>, tensor<49xi32>) outs(%r0_empty : tensor<49xi32>) {
  ^bb0(%in0: i32, %in1: i32, %out0: i32):
    %v = arith.divsi %in0, %in1 : i32
    linalg.yield %v : i32
  } -> tensor<49xi32>
  %r1_empty = tensor.empty() : tensor<49xi32>
  %r1 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0, %x1 : tensor<49xi32>, tensor<49xi32>) outs(%r1_empty : tensor<49xi32>) {
  ^bb0(%in0: i32, %in1: i32, %out0: i32):
    %v = arith.remsi %in0, %in1 : i32
    linalg.yield %v : i32
  } -> tensor<49xi32>
  %r2_empty = tensor.empty() : tensor<49xi32>
  %r2 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0, %x1 : tensor<49xi32>, tensor<49xi32>) outs(%r2_empty : tensor<49xi32>) {
  ^bb0(%in0: i32, %in1: i32, %out0: i32):
    %v = arith.floordivsi %in0, %in1 : i32
    linalg.yield %v : i32
  } -> tensor<49xi32>
  %r3_empty = tensor.empty() : tensor<49xi32>
  %r3 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0, %x1 : tensor<49xi32>, tensor<49xi32>) outs(%r3_empty : tensor<49xi32>) {
  ^bb0(%in0: i32, %in1: i32, %out0: i32):
    %v = arith.ceildivsi %in0, %in1 : i32
    linalg.yield %v : i32
  } -> tensor<49xi32>
  %r4_empty = tensor.empty() : tensor<49xi32>
  %r4 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0, %x1 : tensor<49xi32>, tensor<49xi32>) outs(%r4_empty : tensor<49xi32>) {
  ^bb0(%in0: i32, %in1: i32, %out0: i32):
    %v = arith.divui %in0, %in1 : i32
    linalg.yield %v : i32
  } -> tensor<49xi32>
  %r5_empty = tensor.empty() : tensor<49xi32>
  %r5 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0, %x1 : tensor<49xi32>, tensor<49xi32>) outs(%r5_empty : tensor<49xi32>) {
  ^bb0(%in0: i32, %in1: i32, %out0: i32):
    %v = arith.remui %in0, %in1 : i32
    linalg.yield %v : i32
  } -> tensor<49xi32>
  %r6_empty = tensor.empty() : tensor<49xi32>
  %r6 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0, %x1 : tensor<49xi32>, tensor<49xi32>) outs(%r6_empty : tensor<49xi32>) {
  ^bb0(%in0: i32, %in1: i32, %out0: i32):
    %v = arith.ceildivui %in0, %in1 : i32
    linalg.yield %v : i32
  } -> tensor<49xi32>
  return %r0, %r1, %r2, %r3, %r4, %r5, %r6 : tensor<49xi32>, tensor<49xi32>, tensor<49xi32>, tensor<49xi32>, tensor<49xi32>, tensor<49xi32>, tensor<49xi32>
}
