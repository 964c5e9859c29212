// bitcast keeps the bits.
func.func @main(%x0: tensor<13xf32>, %x1: tensor<13xi32>, %x2: tensor<13xf16>, %x3: tensor<13xbf16>, %x4: tensor<13xf64>, %x5: tensor<13xi16>) -> (tensor<13xi32>, tensor<13xf32>, tensor<13xi16>, tensor<13xi16>, tensor<13xi64>, tensor<13xf16>) {
  %r0_empty = tensor.empty() : tensor<13xi32>
  %r0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0 : tensor<13xf32>) outs(%r0_empty : tensor<13xi32>) {
  ^bb0(%in0: f32, %out0: i32):
    %v = arith.bitcast %in0 : f32 to i32
    linalg.yield %v : i32
  } -> tensor<13xi32>
  %r1_empty = tensor.empty() : tensor<13xf32>
  %r1 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x1 : tensor<13xi32>) outs(%r1_empty : tensor<13xf32>) {
  ^bb0(%in0: i32, %out0: f32):
    %v = arith.bitcast %in0 : i32 to f32
    linalg.yield %v : f32
  } -> tensor<13xf32>
  %r2_empty = tensor.empty() : tensor<13xi16>
  %r2 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x2 : tensor<13xf16>) outs(%r2_empty : tensor<13xi16>) {
  ^bb0(%in0: f16, %out0: i16):
    %v = arith.bitcast %in0 : f16 to i16
    linalg.yield %v : i16
  } -> tensor<13xi16>
  %r3_empty = tensor.empty() : tensor<13xi16>
  %r3 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x3 : tensor<13xbf16>) outs(%r3_empty : tensor<13xi16>) {
  ^bb0(%in0: bf16, %out0: i16):
    %v = arith.bitcast %in0 : bf16 to i16
    linalg.yield %v : i16
  } -> tensor<13xi16>
  %r4_empty = tensor.empty() : tensor<13xi64>
  %r4 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x4 : tensor<13xf64>) outs(%r4_empty : tensor<13xi64>) {
  ^bb0(%in0: f64, %out0: i64):
    %v = arith.bitcast %in0 : f64 to i64
    linalg.yield %v : i64
  } -> tensor<13xi64>
  %r5_empty = tensor.empty() : tensor<13xf16>
  %r5 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x5 : tensor<13xi16>) outs(%r5_empty : tensor<13xf16>) {
  ^bb0(%in0: i16, %out0: f16):
    %v = arith.bitcast %in0 : i16 to f16
    linalg.yield %v : f16
  } -> tensor<13xf16>
  return %r0, %r1, %r2, %r3, %r4, %r5 : tensor<13xi32>, tensor<13xf32>, tensor<13xi16>, tensor<13xi16>, tensor<13xi64>, tensor<13xf16>
}
