// Unary operations of f32 that lose nothing or are correctly rounded.
func.func @main(%x0: tensor<24xf32>) -> (tensor<24xf32>, tensor<24xf32>, tensor<24xf32>, tensor<24xf32>, tensor<24xf32>, tensor<24xf32>, tensor<24xf32>, tensor<24xf32>) {
  %r0_empty = tensor.empty() : tensor<24xf32>
  %r0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0 : tensor<24xf32>) outs(%r0_empty : tensor<24xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %v = arith.negf %in0 : f32
    linalg.yield %v : f32
  } -> tensor<24xf32>
  %r1_empty = tensor.empty() : tensor<24xf32>
  %r1 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0 : tensor<24xf32>) outs(%r1_empty : tensor<24xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %v = math.absf %in0 : f32
    linalg.yield %v : f32
  } -> tensor<24xf32>
  %r2_empty = tensor.empty() : tensor<24xf32>
  %r2 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0 : tensor<24xf32>) outs(%r2_empty : tensor<24xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %v = math.floor %in0 : f32
    linalg.yield %v : f32
  } -> tensor<24xf32>
  %r3_empty = tensor.empty() : tensor<24xf32>
  %r3 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0 : tensor<24xf32>) outs(%r3_empty : tensor<24xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %v = math.ceil %in0 : f32
    linalg.yield %v : f32
  } -> tensor<24xf32>
  %r4_empty = tensor.empty() : tensor<24xf32>
  %r4 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0 : tensor<24xf32>) outs(%r4_empty : tensor<24xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %v = math.round %in0 : f32
    linalg.yield %v : f32
  } -> tensor<24xf32>
  %r5_empty = tensor.empty() : tensor<24xf32>
  %r5 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0 : tensor<24xf32>) outs(%r5_empty : tensor<24xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %v = math.roundeven %in0 : f32
    linalg.yield %v : f32
  } -> tensor<24xf32>
  %r6_empty = tensor.empty() : tensor<24xf32>
  %r6 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0 : tensor<24xf32>) outs(%r6_empty : tensor<24xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %v = math.trunc %in0 : f32
    linalg.yield %v : f32
  } -> tensor<24xf32>
  %r7_empty = tensor.empty() : tensor<24xf32>
  %r7 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0 : tensor<24xf32>) outs(%r7_empty : tensor<24xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %v = math.sqrt %in0 : f32
    linalg.yield %v : f32
  } -> tensor<24xf32>
  return %r0, %r1, %r2, %r3, %r4, %r5, %r6, %r7 : tensor<24xf32>, tensor<24xf32>, tensor<24xf32>, tensor<24xf32>, tensor<24xf32>, tensor<24xf32>, tensor<24xf32>, tensor<24xf32>
}
