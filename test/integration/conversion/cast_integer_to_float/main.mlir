// sitofp and uitofp round once.
func.func @main(%x0: tensor<4xi32>, %x1: tensor<3xi64>, %x2: tensor<3xi64>, %x3: tensor<2xi8>, %x4: tensor<2xi8>, %x5: tensor<2xi1>, %x6: tensor<2xi1>, %x7: tensor<2xi8>, %x8: tensor<2xi32>, %x9: tensor<2xi64>) -> (tensor<4xf32>, tensor<3xf32>, tensor<3xf64>, tensor<2xf16>, tensor<2xbf16>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf64>) {
  %r0_empty = tensor.empty() : tensor<4xf32>
  %r0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0 : tensor<4xi32>) outs(%r0_empty : tensor<4xf32>) {
  ^bb0(%in0: i32, %out0: f32):
    %v = arith.sitofp %in0 : i32 to f32
    linalg.yield %v : f32
  } -> tensor<4xf32>
  %r1_empty = tensor.empty() : tensor<3xf32>
  %r1 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x1 : tensor<3xi64>) outs(%r1_empty : tensor<3xf32>) {
  ^bb0(%in0: i64, %out0: f32):
    %v = arith.sitofp %in0 : i64 to f32
    linalg.yield %v : f32
  } -> tensor<3xf32>
  %r2_empty = tensor.empty() : tensor<3xf64>
  %r2 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x2 : tensor<3xi64>) outs(%r2_empty : tensor<3xf64>) {
  ^bb0(%in0: i64, %out0: f64):
    %v = arith.sitofp %in0 : i64 to f64
    linalg.yield %v : f64
  } -> tensor<3xf64>
  %r3_empty = tensor.empty() : tensor<2xf16>
  %r3 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x3 : tensor<2xi8>) outs(%r3_empty : tensor<2xf16>) {
  ^bb0(%in0: i8, %out0: f16):
    %v = arith.sitofp %in0 : i8 to f16
    linalg.yield %v : f16
  } -> tensor<2xf16>
  %r4_empty = tensor.empty() : tensor<2xbf16>
  %r4 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x4 : tensor<2xi8>) outs(%r4_empty : tensor<2xbf16>) {
  ^bb0(%in0: i8, %out0: bf16):
    %v = arith.sitofp %in0 : i8 to bf16
    linalg.yield %v : bf16
  } -> tensor<2xbf16>
  %r5_empty = tensor.empty() : tensor<2xf32>
  %r5 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x5 : tensor<2xi1>) outs(%r5_empty : tensor<2xf32>) {
  ^bb0(%in0: i1, %out0: f32):
    %v = arith.sitofp %in0 : i1 to f32
    linalg.yield %v : f32
  } -> tensor<2xf32>
  %r6_empty = tensor.empty() : tensor<2xf32>
  %r6 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x6 : tensor<2xi1>) outs(%r6_empty : tensor<2xf32>) {
  ^bb0(%in0: i1, %out0: f32):
    %v = arith.uitofp %in0 : i1 to f32
    linalg.yield %v : f32
  } -> tensor<2xf32>
  %r7_empty = tensor.empty() : tensor<2xf32>
  %r7 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x7 : tensor<2xi8>) outs(%r7_empty : tensor<2xf32>) {
  ^bb0(%in0: i8, %out0: f32):
    %v = arith.uitofp %in0 : i8 to f32
    linalg.yield %v : f32
  } -> tensor<2xf32>
  %r8_empty = tensor.empty() : tensor<2xf32>
  %r8 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x8 : tensor<2xi32>) outs(%r8_empty : tensor<2xf32>) {
  ^bb0(%in0: i32, %out0: f32):
    %v = arith.uitofp %in0 : i32 to f32
    linalg.yield %v : f32
  } -> tensor<2xf32>
  %r9_empty = tensor.empty() : tensor<2xf64>
  %r9 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x9 : tensor<2xi64>) outs(%r9_empty : tensor<2xf64>) {
  ^bb0(%in0: i64, %out0: f64):
    %v = arith.uitofp %in0 : i64 to f64
    linalg.yield %v : f64
  } -> tensor<2xf64>
  return %r0, %r1, %r2, %r3, %r4, %r5, %r6, %r7, %r8, %r9 : tensor<4xf32>, tensor<3xf32>, tensor<3xf64>, tensor<2xf16>, tensor<2xbf16>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf64>
}
