// truncf rounds to nearest even, once: the last value of a row would differ if rounded twice.
func.func @main(%x0: tensor<14xf32>, %x1: tensor<13xf64>, %x2: tensor<13xf64>, %x3: tensor<14xf32>, %x4: tensor<13xf64>) -> (tensor<14xf16>, tensor<13xf16>, tensor<13xf32>, tensor<14xbf16>, tensor<13xbf16>) {
  %r0_empty = tensor.empty() : tensor<14xf16>
  %r0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0 : tensor<14xf32>) outs(%r0_empty : tensor<14xf16>) {
  ^bb0(%in0: f32, %out0: f16):
    %v = arith.truncf %in0 : f32 to f16
    linalg.yield %v : f16
  } -> tensor<14xf16>
  %r1_empty = tensor.empty() : tensor<13xf16>
  %r1 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x1 : tensor<13xf64>) outs(%r1_empty : tensor<13xf16>) {
  ^bb0(%in0: f64, %out0: f16):
    %v = arith.truncf %in0 : f64 to f16
    linalg.yield %v : f16
  } -> tensor<13xf16>
  %r2_empty = tensor.empty() : tensor<13xf32>
  %r2 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x2 : tensor<13xf64>) outs(%r2_empty : tensor<13xf32>) {
  ^bb0(%in0: f64, %out0: f32):
    %v = arith.truncf %in0 : f64 to f32
    linalg.yield %v : f32
  } -> tensor<13xf32>
  %r3_empty = tensor.empty() : tensor<14xbf16>
  %r3 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x3 : tensor<14xf32>) outs(%r3_empty : tensor<14xbf16>) {
  ^bb0(%in0: f32, %out0: bf16):
    %v = arith.truncf %in0 : f32 to bf16
    linalg.yield %v : bf16
  } -> tensor<14xbf16>
  %r4_empty = tensor.empty() : tensor<13xbf16>
  %r4 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x4 : tensor<13xf64>) outs(%r4_empty : tensor<13xbf16>) {
  ^bb0(%in0: f64, %out0: bf16):
    %v = arith.truncf %in0 : f64 to bf16
    linalg.yield %v : bf16
  } -> tensor<13xbf16>
  return %r0, %r1, %r2, %r3, %r4 : tensor<14xf16>, tensor<13xf16>, tensor<13xf32>, tensor<14xbf16>, tensor<13xbf16>
}
