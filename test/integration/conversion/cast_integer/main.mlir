// extsi, extui, trunci; i1 extends to 0 or -1 and to 0 or 1.
func.func @main(%x0: tensor<4xi8>, %x1: tensor<3xi32>, %x2: tensor<2xi1>, %x3: tensor<2xi1>, %x4: tensor<2xi1>, %x5: tensor<3xi8>, %x6: tensor<2xi32>, %x7: tensor<3xi64>, %x8: tensor<3xi32>, %x9: tensor<3xi32>) -> (tensor<4xi32>, tensor<3xi64>, tensor<2xi32>, tensor<2xi8>, tensor<2xi64>, tensor<3xi32>, tensor<2xi64>, tensor<3xi32>, tensor<3xi8>, tensor<3xi1>) {
  %r0_empty = tensor.empty() : tensor<4xi32>
  %r0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0 : tensor<4xi8>) outs(%r0_empty : tensor<4xi32>) {
  ^bb0(%in0: i8, %out0: i32):
    %v = arith.extsi %in0 : i8 to i32
    linalg.yield %v : i32
  } -> tensor<4xi32>
  %r1_empty = tensor.empty() : tensor<3xi64>
  %r1 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x1 : tensor<3xi32>) outs(%r1_empty : tensor<3xi64>) {
  ^bb0(%in0: i32, %out0: i64):
    %v = arith.extsi %in0 : i32 to i64
    linalg.yield %v : i64
  } -> tensor<3xi64>
  %r2_empty = tensor.empty() : tensor<2xi32>
  %r2 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x2 : tensor<2xi1>) outs(%r2_empty : tensor<2xi32>) {
  ^bb0(%in0: i1, %out0: i32):
    %v = arith.extsi %in0 : i1 to i32
    linalg.yield %v : i32
  } -> tensor<2xi32>
  %r3_empty = tensor.empty() : tensor<2xi8>
  %r3 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x3 : tensor<2xi1>) outs(%r3_empty : tensor<2xi8>) {
  ^bb0(%in0: i1, %out0: i8):
    %v = arith.extui %in0 : i1 to i8
    linalg.yield %v : i8
  } -> tensor<2xi8>
  %r4_empty = tensor.empty() : tensor<2xi64>
  %r4 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x4 : tensor<2xi1>) outs(%r4_empty : tensor<2xi64>) {
  ^bb0(%in0: i1, %out0: i64):
    %v = arith.extui %in0 : i1 to i64
    linalg.yield %v : i64
  } -> tensor<2xi64>
  %r5_empty = tensor.empty() : tensor<3xi32>
  %r5 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x5 : tensor<3xi8>) outs(%r5_empty : tensor<3xi32>) {
  ^bb0(%in0: i8, %out0: i32):
    %v = arith.extui %in0 : i8 to i32
    linalg.yield %v : i32
  } -> tensor<3xi32>
  %r6_empty = tensor.empty() : tensor<2xi64>
  %r6 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x6 : tensor<2xi32>) outs(%r6_empty : tensor<2xi64>) {
  ^bb0(%in0: i32, %out0: i64):
    %v = arith.extui %in0 : i32 to i64
    linalg.yield %v : i64
  } -> tensor<2xi64>
  %r7_empty = tensor.empty() : tensor<3xi32>
  %r7 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x7 : tensor<3xi64>) outs(%r7_empty : tensor<3xi32>) {
  ^bb0(%in0: i64, %out0: i32):
    %v = arith.trunci %in0 : i64 to i32
    linalg.yield %v : i32
  } -> tensor<3xi32>
  %r8_empty = tensor.empty() : tensor<3xi8>
  %r8 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x8 : tensor<3xi32>) outs(%r8_empty : tensor<3xi8>) {
  ^bb0(%in0: i32, %out0: i8):
    %v = arith.trunci %in0 : i32 to i8
    linalg.yield %v : i8
  } -> tensor<3xi8>
  %r9_empty = tensor.empty() : tensor<3xi1>
  %r9 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x9 : tensor<3xi32>) outs(%r9_empty : tensor<3xi1>) {
  ^bb0(%in0: i32, %out0: i1):
    %v = arith.trunci %in0 : i32 to i1
    linalg.yield %v : i1
  } -> tensor<3xi1>
  return %r0, %r1, %r2, %r3, %r4, %r5, %r6, %r7, %r8, %r9 : tensor<4xi32>, tensor<3xi64>, tensor<2xi32>, tensor<2xi8>, tensor<2xi64>, tensor<3xi32>, tensor<2xi64>, tensor<3xi32>, tensor<3xi8>, tensor<3xi1>
}
