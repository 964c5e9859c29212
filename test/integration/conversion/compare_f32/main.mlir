// All predicates of cmpf, with NaN and both zeros.
func.func @main(%x0: tensor<49xf32>, %x1: tensor<49xf32>) -> (tensor<49xi1>, tensor<49xi1>, tensor<49xi1>, tensor<49xi1>, tensor<49xi1>, tensor<49xi1>, tensor<49xi1>, tensor<49xi1>, tensor<49xi1>, tensor<49xi1>, tensor<49xi1>, tensor<49xi1>, tensor<49xi1>, tensor<49xi1>, tensor<49xi1>, tensor<49xi1>) {
  %r0_empty = tensor.empty() : tensor<49xi1>
  %r0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0, %x1 : tensor<49xf32>, tensor<49xf32>) outs(%r0_empty : tensor<49xi1>) {
  ^bb0(%in0: f32, %in1: f32, %out0: i1):
    %v = arith.cmpf oeq, %in0, %in1 : f32
    linalg.yield %v : i1
  } -> tensor<49xi1>
  %r1_empty = tensor.empty() : tensor<49xi1>
  %r1 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0, %x1 : tensor<49xf32>, tensor<49xf32>) outs(%r1_empty : tensor<49xi1>) {
  ^bb0(%in0: f32, %in1: f32, %out0: i1):
    %v = arith.cmpf ogt, %in0, %in1 : f32
    linalg.yield %v : i1
  } -> tensor<49xi1>
  %r2_empty = tensor.empty() : tensor<49xi1>
  %r2 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0, %x1 : tensor<49xf32>, tensor<49xf32>) outs(%r2_empty : tensor<49xi1>) {
  ^bb0(%in0: f32, %in1: f32, %out0: i1):
    %v = arith.cmpf oge, %in0, %in1 : f32
    linalg.yield %v : i1
  } -> tensor<49xi1>
  %r3_empty = tensor.empty() : tensor<49xi1>
  %r3 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0, %x1 : tensor<49xf32>, tensor<49xf32>) outs(%r3_empty : tensor<49xi1>) {
  ^bb0(%in0: f32, %in1: f32, %out0: i1):
    %v = arith.cmpf olt, %in0, %in1 : f32
    linalg.yield %v : i1
  } -> tensor<49xi1>
  %r4_empty = tensor.empty() : tensor<49xi1>
  %r4 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0, %x1 : tensor<49xf32>, tensor<49xf32>) outs(%r4_empty : tensor<49xi1>) {
  ^bb0(%in0: f32, %in1: f32, %out0: i1):
    %v = arith.cmpf ole, %in0, %in1 : f32
    linalg.yield %v : i1
  } -> tensor<49xi1>
  %r5_empty = tensor.empty() : tensor<49xi1>
  %r5 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0, %x1 : tensor<49xf32>, tensor<49xf32>) outs(%r5_empty : tensor<49xi1>) {
  ^bb0(%in0: f32, %in1: f32, %out0: i1):
    %v = arith.cmpf false, %in0, %in1 : f32
    linalg.yield %v : i1
  } -> tensor<49xi1>
  %r6_empty = tensor.empty() : tensor<49xi1>
  %r6 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0, %x1 : tensor<49xf32>, tensor<49xf32>) outs(%r6_empty : tensor<49xi1>) {
  ^bb0(%in0: f32, %in1: f32, %out0: i1):
    %v = arith.cmpf true, %in0, %in1 : f32
    linalg.yield %v : i1
  } -> tensor<49xi1>
  %r7_empty = tensor.empty() : tensor<49xi1>
  %r7 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0, %x1 : tensor<49xf32>, tensor<49xf32>) outs(%r7_empty : tensor<49xi1>) {
  ^bb0(%in0: f32, %in1: f32, %out0: i1):
    %v = arith.cmpf one, %in0, %in1 : f32
    linalg.yield %v : i1
  } -> tensor<49xi1>
  %r8_empty = tensor.empty() : tensor<49xi1>
  %r8 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0, %x1 : tensor<49xf32>, tensor<49xf32>) outs(%r8_empty : tensor<49xi1>) {
  ^bb0(%in0: f32, %in1: f32, %out0: i1):
    %v = arith.cmpf ord, %in0, %in1 : f32
    linalg.yield %v : i1
  } -> tensor<49xi1>
  %r9_empty = tensor.empty() : tensor<49xi1>
  %r9 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0, %x1 : tensor<49xf32>, tensor<49xf32>) outs(%r9_empty : tensor<49xi1>) {
  ^bb0(%in0: f32, %in1: f32, %out0: i1):
    %v = arith.cmpf ueq, %in0, %in1 : f32
    linalg.yield %v : i1
  } -> tensor<49xi1>
  %r10_empty = tensor.empty() : tensor<49xi1>
  %r10 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0, %x1 : tensor<49xf32>, tensor<49xf32>) outs(%r10_empty : tensor<49xi1>) {
  ^bb0(%in0: f32, %in1: f32, %out0: i1):
    %v = arith.cmpf ugt, %in0, %in1 : f32
    linalg.yield %v : i1
  } -> tensor<49xi1>
  %r11_empty = tensor.empty() : tensor<49xi1>
  %r11 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0, %x1 : tensor<49xf32>, tensor<49xf32>) outs(%r11_empty : tensor<49xi1>) {
  ^bb0(%in0: f32, %in1: f32, %out0: i1):
    %v = arith.cmpf uge, %in0, %in1 : f32
    linalg.yield %v : i1
  } -> tensor<49xi1>
  %r12_empty = tensor.empty() : tensor<49xi1>
  %r12 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0, %x1 : tensor<49xf32>, tensor<49xf32>) outs(%r12_empty : tensor<49xi1>) {
  ^bb0(%in0: f32, %in1: f32, %out0: i1):
    %v = arith.cmpf ult, %in0, %in1 : f32
    linalg.yield %v : i1
  } -> tensor<49xi1>
  %r13_empty = tensor.empty() : tensor<49xi1>
  %r13 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0, %x1 : tensor<49xf32>, tensor<49xf32>) outs(%r13_empty : tensor<49xi1>) {
  ^bb0(%in0: f32, %in1: f32, %out0: i1):
    %v = arith.cmpf ule, %in0, %in1 : f32
    linalg.yield %v : i1
  } -> tensor<49xi1>
  %r14_empty = tensor.empty() : tensor<49xi1>
  %r14 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0, %x1 : tensor<49xf32>, tensor<49xf32>) outs(%r14_empty : tensor<49xi1>) {
  ^bb0(%in0: f32, %in1: f32, %out0: i1):
    %v = arith.cmpf une, %in0, %in1 : f32
    linalg.yield %v : i1
  } -> tensor<49xi1>
  %r15_empty = tensor.empty() : tensor<49xi1>
  %r15 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0, %x1 : tensor<49xf32>, tensor<49xf32>) outs(%r15_empty : tensor<49xi1>) {
  ^bb0(%in0: f32, %in1: f32, %out0: i1):
    %v = arith.cmpf uno, %in0, %in1 : f32
    linalg.yield %v : i1
  } -> tensor<49xi1>
  return %r0, %r1, %r2, %r3, %r4, %r5, %r6, %r7, %r8, %r9, %r10, %r11, %r12, %r13, %r14, %r15 : tensor<49xi1>, tensor<49xi1>, tensor<49xi1>, tensor<49xi1>, tensor<49xi1>, tensor<49xi1>, tensor<49xi1>, tensor<49xi1>, tensor<49xi1>, tensor<49xi1>, tensor<49xi1>, tensor<49xi1>, tensor<49xi1>, tensor<49xi1>, tensor<49xi1>, tensor<49xi1>
}
