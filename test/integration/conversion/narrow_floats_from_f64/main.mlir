// f64 rounded once to each float of at most 8 bits.
func.func @main(%x0: tensor<70xf64>, %x1: tensor<62xf64>, %x2: tensor<62xf64>, %x3: tensor<62xf64>, %x4: tensor<62xf64>, %x5: tensor<62xf64>, %x6: tensor<62xf64>, %x7: tensor<62xf64>, %x8: tensor<62xf64>, %x9: tensor<62xf64>, %x10: tensor<55xf64>) -> (tensor<70xf32>, tensor<62xf32>, tensor<62xf32>, tensor<62xf32>, tensor<62xf32>, tensor<62xf32>, tensor<62xf32>, tensor<62xf32>, tensor<62xf32>, tensor<62xf32>, tensor<55xf32>) {
  %r0_empty = tensor.empty() : tensor<70xf32>
  %r0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0 : tensor<70xf64>) outs(%r0_empty : tensor<70xf32>) {
  ^bb0(%in0: f64, %out0: f32):
    %n = arith.truncf %in0 : f64 to f4E2M1FN
    %v = arith.extf %n : f4E2M1FN to f32
    linalg.yield %v : f32
  } -> tensor<70xf32>
  %r1_empty = tensor.empty() : tensor<62xf32>
  %r1 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x1 : tensor<62xf64>) outs(%r1_empty : tensor<62xf32>) {
  ^bb0(%in0: f64, %out0: f32):
    %n = arith.truncf %in0 : f64 to f6E2M3FN
    %v = arith.extf %n : f6E2M3FN to f32
    linalg.yield %v : f32
  } -> tensor<62xf32>
  %r2_empty = tensor.empty() : tensor<62xf32>
  %r2 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x2 : tensor<62xf64>) outs(%r2_empty : tensor<62xf32>) {
  ^bb0(%in0: f64, %out0: f32):
    %n = arith.truncf %in0 : f64 to f6E3M2FN
    %v = arith.extf %n : f6E3M2FN to f32
    linalg.yield %v : f32
  } -> tensor<62xf32>
  %r3_empty = tensor.empty() : tensor<62xf32>
  %r3 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x3 : tensor<62xf64>) outs(%r3_empty : tensor<62xf32>) {
  ^bb0(%in0: f64, %out0: f32):
    %n = arith.truncf %in0 : f64 to f8E3M4
    %v = arith.extf %n : f8E3M4 to f32
    linalg.yield %v : f32
  } -> tensor<62xf32>
  %r4_empty = tensor.empty() : tensor<62xf32>
  %r4 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x4 : tensor<62xf64>) outs(%r4_empty : tensor<62xf32>) {
  ^bb0(%in0: f64, %out0: f32):
    %n = arith.truncf %in0 : f64 to f8E4M3
    %v = arith.extf %n : f8E4M3 to f32
    linalg.yield %v : f32
  } -> tensor<62xf32>
  %r5_empty = tensor.empty() : tensor<62xf32>
  %r5 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x5 : tensor<62xf64>) outs(%r5_empty : tensor<62xf32>) {
  ^bb0(%in0: f64, %out0: f32):
    %n = arith.truncf %in0 : f64 to f8E4M3B11FNUZ
    %v = arith.extf %n : f8E4M3B11FNUZ to f32
    linalg.yield %v : f32
  } -> tensor<62xf32>
  %r6_empty = tensor.empty() : tensor<62xf32>
  %r6 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x6 : tensor<62xf64>) outs(%r6_empty : tensor<62xf32>) {
  ^bb0(%in0: f64, %out0: f32):
    %n = arith.truncf %in0 : f64 to f8E4M3FN
    %v = arith.extf %n : f8E4M3FN to f32
    linalg.yield %v : f32
  } -> tensor<62xf32>
  %r7_empty = tensor.empty() : tensor<62xf32>
  %r7 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x7 : tensor<62xf64>) outs(%r7_empty : tensor<62xf32>) {
  ^bb0(%in0: f64, %out0: f32):
    %n = arith.truncf %in0 : f64 to f8E4M3FNUZ
    %v = arith.extf %n : f8E4M3FNUZ to f32
    linalg.yield %v : f32
  } -> tensor<62xf32>
  %r8_empty = tensor.empty() : tensor<62xf32>
  %r8 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x8 : tensor<62xf64>) outs(%r8_empty : tensor<62xf32>) {
  ^bb0(%in0: f64, %out0: f32):
    %n = arith.truncf %in0 : f64 to f8E5M2
    %v = arith.extf %n : f8E5M2 to f32
    linalg.yield %v : f32
  } -> tensor<62xf32>
  %r9_empty = tensor.empty() : tensor<62xf32>
  %r9 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x9 : tensor<62xf64>) outs(%r9_empty : tensor<62xf32>) {
  ^bb0(%in0: f64, %out0: f32):
    %n = arith.truncf %in0 : f64 to f8E5M2FNUZ
    %v = arith.extf %n : f8E5M2FNUZ to f32
    linalg.yield %v : f32
  } -> tensor<62xf32>
  %r10_empty = tensor.empty() : tensor<55xf32>
  %r10 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x10 : tensor<55xf64>) outs(%r10_empty : tensor<55xf32>) {
  ^bb0(%in0: f64, %out0: f32):
    %n = arith.truncf %in0 : f64 to f8E8M0FNU
    %v = arith.extf %n : f8E8M0FNU to f32
    linalg.yield %v : f32
  } -> tensor<55xf32>
  return %r0, %r1, %r2, %r3, %r4, %r5, %r6, %r7, %r8, %r9, %r10 : tensor<70xf32>, tensor<62xf32>, tensor<62xf32>, tensor<62xf32>, tensor<62xf32>, tensor<62xf32>, tensor<62xf32>, tensor<62xf32>, tensor<62xf32>, tensor<62xf32>, tensor<55xf32>
}
