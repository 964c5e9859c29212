// Operations of i32, which wrap, on all pairs of values at the limits.
func.func @main(%x0: tensor<45xi32>, %x1: tensor<45xi32>) -> (tensor<45xi32>, tensor<45xi32>, tensor<45xi32>, tensor<45xi32>, tensor<45xi32>, tensor<45xi32>, tensor<45xi32>, tensor<45xi32>, tensor<45xi32>, tensor<45xi32>) {
  %r0_empty = tensor.empty() : tensor<45xi32>
  %r0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0, %x1 : tensor<45xi32>, tensor<45xi32>) outs(%r0_empty : tensor<45xi32>) {
  ^bb0(%in0: i32, %in1: i32, %out0: i32):
    %v = arith.addi %in0, %in1 : i32
    linalg.yield %v : i32
  } -> tensor<45xi32>
  %r1_empty = tensor.empty() : tensor<45xi32>
  %r1 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0, %x1 : tensor<45xi32>, tensor<45xi32>) outs(%r1_empty : tensor<45xi32>) {
  ^bb0(%in0: i32, %in1: i32, %out0: i32):
    %v = arith.subi %in0, %in1 : i32
    linalg.yield %v : i32
  } -> tensor<45xi32>
  %r2_empty = tensor.empty() : tensor<45xi32>
  %r2 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0, %x1 : tensor<45xi32>, tensor<45xi32>) outs(%r2_empty : tensor<45xi32>) {
  ^bb0(%in0: i32, %in1: i32, %out0: i32):
    %v = arith.muli %in0, %in1 : i32
    linalg.yield %v : i32
  } -> tensor<45xi32>
  %r3_empty = tensor.empty() : tensor<45xi32>
  %r3 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0, %x1 : tensor<45xi32>, tensor<45xi32>) outs(%r3_empty : tensor<45xi32>) {
  ^bb0(%in0: i32, %in1: i32, %out0: i32):
    %v = arith.andi %in0, %in1 : i32
    linalg.yield %v : i32
  } -> tensor<45xi32>
  %r4_empty = tensor.empty() : tensor<45xi32>
  %r4 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0, %x1 : tensor<45xi32>, tensor<45xi32>) outs(%r4_empty : tensor<45xi32>) {
  ^bb0(%in0: i32, %in1: i32, %out0: i32):
    %v = arith.ori %in0, %in1 : i32
    linalg.yield %v : i32
  } -> tensor<45xi32>
  %r5_empty = tensor.empty() : tensor<45xi32>
  %r5 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0, %x1 : tensor<45xi32>, tensor<45xi32>) outs(%r5_empty : tensor<45xi32>) {
  ^bb0(%in0: i32, %in1: i32, %out0: i32):
    %v = arith.xori %in0, %in1 : i32
    linalg.yield %v : i32
  } -> tensor<45xi32>
  %r6_empty = tensor.empty() : tensor<45xi32>
  %r6 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0, %x1 : tensor<45xi32>, tensor<45xi32>) outs(%r6_empty : tensor<45xi32>) {
  ^bb0(%in0: i32, %in1: i32, %out0: i32):
    %v = arith.maxsi %in0, %in1 : i32
    linalg.yield %v : i32
  } -> tensor<45xi32>
  %r7_empty = tensor.empty() : tensor<45xi32>
  %r7 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0, %x1 : tensor<45xi32>, tensor<45xi32>) outs(%r7_empty : tensor<45xi32>) {
  ^bb0(%in0: i32, %in1: i32, %out0: i32):
    %v = arith.minsi %in0, %in1 : i32
    linalg.yield %v : i32
  } -> tensor<45xi32>
  %r8_empty = tensor.empty() : tensor<45xi32>
  %r8 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0, %x1 : tensor<45xi32>, tensor<45xi32>) outs(%r8_empty : tensor<45xi32>) {
  ^bb0(%in0: i32, %in1: i32, %out0: i32):
    %v = arith.maxui %in0, %in1 : i32
    linalg.yield %v : i32
  } -> tensor<45xi32>
  %r9_empty = tensor.empty() : tensor<45xi32>
  %r9 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0, %x1 : tensor<45xi32>, tensor<45xi32>) outs(%r9_empty : tensor<45xi32>) {
  ^bb0(%in0: i32, %in1: i32, %out0: i32):
    %v = arith.minui %in0, %in1 : i32
    linalg.yield %v : i32
  } -> tensor<45xi32>
  return %r0, %r1, %r2, %r3, %r4, %r5, %r6, %r7, %r8, %r9 : tensor<45xi32>, tensor<45xi32>, tensor<45xi32>, tensor<45xi32>, tensor<45xi32>, tensor<45xi32>, tensor<45xi32>, tensor<45xi32>, tensor<45xi32>, tensor<45xi32>
}
