// Functions of f32, computed exactly and rounded once.
func.func @main(%x0: tensor<31xf32>) -> (tensor<31xf32>, tensor<31xf32>, tensor<31xf32>, tensor<31xf32>, tensor<31xf32>, tensor<31xf32>, tensor<31xf32>, tensor<31xf32>, tensor<31xf32>, tensor<31xf32>, tensor<31xf32>, tensor<31xf32>, tensor<31xf32>) {
  %r0_empty = tensor.empty() : tensor<31xf32>
  %r0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0 : tensor<31xf32>) outs(%r0_empty : tensor<31xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %v = math.exp %in0 : f32
    linalg.yield %v : f32
  } -> tensor<31xf32>
  %r1_empty = tensor.empty() : tensor<31xf32>
  %r1 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0 : tensor<31xf32>) outs(%r1_empty : tensor<31xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %v = math.exp2 %in0 : f32
    linalg.yield %v : f32
  } -> tensor<31xf32>
  %r2_empty = tensor.empty() : tensor<31xf32>
  %r2 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0 : tensor<31xf32>) outs(%r2_empty : tensor<31xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %v = math.expm1 %in0 : f32
    linalg.yield %v : f32
  } -> tensor<31xf32>
  %r3_empty = tensor.empty() : tensor<31xf32>
  %r3 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0 : tensor<31xf32>) outs(%r3_empty : tensor<31xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %v = math.log %in0 : f32
    linalg.yield %v : f32
  } -> tensor<31xf32>
  %r4_empty = tensor.empty() : tensor<31xf32>
  %r4 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0 : tensor<31xf32>) outs(%r4_empty : tensor<31xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %v = math.log2 %in0 : f32
    linalg.yield %v : f32
  } -> tensor<31xf32>
  %r5_empty = tensor.empty() : tensor<31xf32>
  %r5 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0 : tensor<31xf32>) outs(%r5_empty : tensor<31xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %v = math.log1p %in0 : f32
    linalg.yield %v : f32
  } -> tensor<31xf32>
  %r6_empty = tensor.empty() : tensor<31xf32>
  %r6 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0 : tensor<31xf32>) outs(%r6_empty : tensor<31xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %v = math.rsqrt %in0 : f32
    linalg.yield %v : f32
  } -> tensor<31xf32>
  %r7_empty = tensor.empty() : tensor<31xf32>
  %r7 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0 : tensor<31xf32>) outs(%r7_empty : tensor<31xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %v = math.tanh %in0 : f32
    linalg.yield %v : f32
  } -> tensor<31xf32>
  %r8_empty = tensor.empty() : tensor<31xf32>
  %r8 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0 : tensor<31xf32>) outs(%r8_empty : tensor<31xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %v = math.erf %in0 : f32
    linalg.yield %v : f32
  } -> tensor<31xf32>
  %r9_empty = tensor.empty() : tensor<31xf32>
  %r9 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0 : tensor<31xf32>) outs(%r9_empty : tensor<31xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %v = math.sin %in0 : f32
    linalg.yield %v : f32
  } -> tensor<31xf32>
  %r10_empty = tensor.empty() : tensor<31xf32>
  %r10 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0 : tensor<31xf32>) outs(%r10_empty : tensor<31xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %v = math.cos %in0 : f32
    linalg.yield %v : f32
  } -> tensor<31xf32>
  %r11_empty = tensor.empty() : tensor<31xf32>
  %r11 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0 : tensor<31xf32>) outs(%r11_empty : tensor<31xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %v = math.tan %in0 : f32
    linalg.yield %v : f32
  } -> tensor<31xf32>
  %r12_empty = tensor.empty() : tensor<31xf32>
  %r12 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0 : tensor<31xf32>) outs(%r12_empty : tensor<31xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %v = math.atan %in0 : f32
    linalg.yield %v : f32
  } -> tensor<31xf32>
  return %r0, %r1, %r2, %r3, %r4, %r5, %r6, %r7, %r8, %r9, %r10, %r11, %r12 : tensor<31xf32>, tensor<31xf32>, tensor<31xf32>, tensor<31xf32>, tensor<31xf32>, tensor<31xf32>, tensor<31xf32>, tensor<31xf32>, tensor<31xf32>, tensor<31xf32>, tensor<31xf32>, tensor<31xf32>, tensor<31xf32>
}
