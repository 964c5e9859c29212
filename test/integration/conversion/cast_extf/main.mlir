// extf keeps the value.
func.func @main(%x0: tensor<9xf16>, %x1: tensor<9xbf16>, %x2: tensor<9xf32>, %x3: tensor<9xf16>) -> (tensor<9xf32>, tensor<9xf32>, tensor<9xf64>, tensor<9xf64>) {
  %r0_empty = tensor.empty() : tensor<9xf32>
  %r0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0 : tensor<9xf16>) outs(%r0_empty : tensor<9xf32>) {
  ^bb0(%in0: f16, %out0: f32):
    %v = arith.extf %in0 : f16 to f32
    linalg.yield %v : f32
  } -> tensor<9xf32>
  %r1_empty = tensor.empty() : tensor<9xf32>
  %r1 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x1 : tensor<9xbf16>) outs(%r1_empty : tensor<9xf32>) {
  ^bb0(%in0: bf16, %out0: f32):
    %v = arith.extf %in0 : bf16 to f32
    linalg.yield %v : f32
  } -> tensor<9xf32>
  %r2_empty = tensor.empty() : tensor<9xf64>
  %r2 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x2 : tensor<9xf32>) outs(%r2_empty : tensor<9xf64>) {
  ^bb0(%in0: f32, %out0: f64):
    %v = arith.extf %in0 : f32 to f64
    linalg.yield %v : f64
  } -> tensor<9xf64>
  %r3_empty = tensor.empty() : tensor<9xf64>
  %r3 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x3 : tensor<9xf16>) outs(%r3_empty : tensor<9xf64>) {
  ^bb0(%in0: f16, %out0: f64):
    %v = arith.extf %in0 : f16 to f64
    linalg.yield %v : f64
  } -> tensor<9xf64>
  return %r0, %r1, %r2, %r3 : tensor<9xf32>, tensor<9xf32>, tensor<9xf64>, tensor<9xf64>
}
