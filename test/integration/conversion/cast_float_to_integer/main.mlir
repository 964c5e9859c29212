// fptosi and fptoui truncate the fraction.
func.func @main(%x0: tensor<8xf32>, %x1: tensor<8xf32>, %x2: tensor<10xf32>, %x3: tensor<9xf64>, %x4: tensor<8xf16>, %x5: tensor<8xbf16>, %x6: tensor<2xf32>, %x7: tensor<2xf32>) -> (tensor<8xi8>, tensor<8xi32>, tensor<10xi64>, tensor<9xi32>, tensor<8xi32>, tensor<8xi64>, tensor<2xi8>, tensor<2xi32>) {
  %r0_empty = tensor.empty() : tensor<8xi8>
  %r0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0 : tensor<8xf32>) outs(%r0_empty : tensor<8xi8>) {
  ^bb0(%in0: f32, %out0: i8):
    %v = arith.fptosi %in0 : f32 to i8
    linalg.yield %v : i8
  } -> tensor<8xi8>
  %r1_empty = tensor.empty() : tensor<8xi32>
  %r1 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x1 : tensor<8xf32>) outs(%r1_empty : tensor<8xi32>) {
  ^bb0(%in0: f32, %out0: i32):
    %v = arith.fptosi %in0 : f32 to i32
    linalg.yield %v : i32
  } -> tensor<8xi32>
  %r2_empty = tensor.empty() : tensor<10xi64>
  %r2 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x2 : tensor<10xf32>) outs(%r2_empty : tensor<10xi64>) {
  ^bb0(%in0: f32, %out0: i64):
    %v = arith.fptosi %in0 : f32 to i64
    linalg.yield %v : i64
  } -> tensor<10xi64>
  %r3_empty = tensor.empty() : tensor<9xi32>
  %r3 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x3 : tensor<9xf64>) outs(%r3_empty : tensor<9xi32>) {
  ^bb0(%in0: f64, %out0: i32):
    %v = arith.fptosi %in0 : f64 to i32
    linalg.yield %v : i32
  } -> tensor<9xi32>
  %r4_empty = tensor.empty() : tensor<8xi32>
  %r4 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x4 : tensor<8xf16>) outs(%r4_empty : tensor<8xi32>) {
  ^bb0(%in0: f16, %out0: i32):
    %v = arith.fptosi %in0 : f16 to i32
    linalg.yield %v : i32
  } -> tensor<8xi32>
  %r5_empty = tensor.empty() : tensor<8xi64>
  %r5 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x5 : tensor<8xbf16>) outs(%r5_empty : tensor<8xi64>) {
  ^bb0(%in0: bf16, %out0: i64):
    %v = arith.fptosi %in0 : bf16 to i64
    linalg.yield %v : i64
  } -> tensor<8xi64>
  %r6_empty = tensor.empty() : tensor<2xi8>
  %r6 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x6 : tensor<2xf32>) outs(%r6_empty : tensor<2xi8>) {
  ^bb0(%in0: f32, %out0: i8):
    %v = arith.fptoui %in0 : f32 to i8
    linalg.yield %v : i8
  } -> tensor<2xi8>
  %r7_empty = tensor.empty() : tensor<2xi32>
  %r7 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x7 : tensor<2xf32>) outs(%r7_empty : tensor<2xi32>) {
  ^bb0(%in0: f32, %out0: i32):
    %v = arith.fptoui %in0 : f32 to i32
    linalg.yield %v : i32
  } -> tensor<2xi32>
  return %r0, %r1, %r2, %r3, %r4, %r5, %r6, %r7 : tensor<8xi8>, tensor<8xi32>, tensor<10xi64>, tensor<9xi32>, tensor<8xi32>, tensor<8xi64>, tensor<2xi8>, tensor<2xi32>
}
