// Binary operations of f32 on all pairs of special values, and on others.
func.func @main(%x0: tensor<58xf32>, %x1: tensor<58xf32>) -> (tensor<58xf32>, tensor<58xf32>, tensor<58xf32>, tensor<58xf32>, tensor<58xf32>, tensor<58xf32>, tensor<58xf32>, tensor<58xf32>) {
  %r0_empty = tensor.empty() : tensor<58xf32>
  %r0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0, %x1 : tensor<58xf32>, tensor<58xf32>) outs(%r0_empty : tensor<58xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %v = arith.addf %in0, %in1 : f32
    linalg.yield %v : f32
  } -> tensor<58xf32>
  %r1_empty = tensor.empty() : tensor<58xf32>
  %r1 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0, %x1 : tensor<58xf32>, tensor<58xf32>) outs(%r1_empty : tensor<58xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %v = arith.subf %in0, %in1 : f32
    linalg.yield %v : f32
  } -> tensor<58xf32>
  %r2_empty = tensor.empty() : tensor<58xf32>
  %r2 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0, %x1 : tensor<58xf32>, tensor<58xf32>) outs(%r2_empty : tensor<58xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %v = arith.mulf %in0, %in1 : f32
    linalg.yield %v : f32
  } -> tensor<58xf32>
  %r3_empty = tensor.empty() : tensor<58xf32>
  %r3 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0, %x1 : tensor<58xf32>, tensor<58xf32>) outs(%r3_empty : tensor<58xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %v = arith.divf %in0, %in1 : f32
    linalg.yield %v : f32
  } -> tensor<58xf32>
  %r4_empty = tensor.empty() : tensor<58xf32>
  %r4 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0, %x1 : tensor<58xf32>, tensor<58xf32>) outs(%r4_empty : tensor<58xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %v = arith.remf %in0, %in1 : f32
    linalg.yield %v : f32
  } -> tensor<58xf32>
  %r5_empty = tensor.empty() : tensor<58xf32>
  %r5 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0, %x1 : tensor<58xf32>, tensor<58xf32>) outs(%r5_empty : tensor<58xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %v = arith.maximumf %in0, %in1 : f32
    linalg.yield %v : f32
  } -> tensor<58xf32>
  %r6_empty = tensor.empty() : tensor<58xf32>
  %r6 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0, %x1 : tensor<58xf32>, tensor<58xf32>) outs(%r6_empty : tensor<58xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %v = arith.minimumf %in0, %in1 : f32
    linalg.yield %v : f32
  } -> tensor<58xf32>
  %r7_empty = tensor.empty() : tensor<58xf32>
  %r7 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0, %x1 : tensor<58xf32>, tensor<58xf32>) outs(%r7_empty : tensor<58xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %v = math.copysign %in0, %in1 : f32
    linalg.yield %v : f32
  } -> tensor<58xf32>
  return %r0, %r1, %r2, %r3, %r4, %r5, %r6, %r7 : tensor<58xf32>, tensor<58xf32>, tensor<58xf32>, tensor<58xf32>, tensor<58xf32>, tensor<58xf32>, tensor<58xf32>, tensor<58xf32>
}
