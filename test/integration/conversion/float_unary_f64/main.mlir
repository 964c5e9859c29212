// Unary operations of f64 that lose nothing or are correctly rounded.
func.func @main(%x0: tensor<24xf64>) -> (tensor<24xf64>, tensor<24xf64>, tensor<24xf64>, tensor<24xf64>, tensor<24xf64>, tensor<24xf64>, tensor<24xf64>, tensor<24xf64>) {
  %r0_empty = tensor.empty() : tensor<24xf64>
  %r0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0 : tensor<24xf64>) outs(%r0_empty : tensor<24xf64>) {
  ^bb0(%in0: f64, %out0: f64):
    %v = arith.negf %in0 : f64
    linalg.yield %v : f64
  } -> tensor<24xf64>
  %r1_empty = tensor.empty() : tensor<24xf64>
  %r1 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0 : tensor<24xf64>) outs(%r1_empty : tensor<24xf64>) {
  ^bb0(%in0: f64, %out0: f64):
    %v = math.absf %in0 : f64
    linalg.yield %v : f64
  } -> tensor<24xf64>
  %r2_empty = tensor.empty() : tensor<24xf64>
  %r2 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0 : tensor<24xf64>) outs(%r2_empty : tensor<24xf64>) {
  ^bb0(%in0: f64, %out0: f64):
    %v = math.floor %in0 : f64
    linalg.yield %v : f64
  } -> tensor<24xf64>
  %r3_empty = tensor.empty() : tensor<24xf64>
  %r3 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0 : tensor<24xf64>) outs(%r3_empty : tensor<24xf64>) {
  ^bb0(%in0: f64, %out0: f64):
    %v = math.ceil %in0 : f64
    linalg.yield %v : f64
  } -> tensor<24xf64>
  %r4_empty = tensor.empty() : tensor<24xf64>
  %r4 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0 : tensor<24xf64>) outs(%r4_empty : tensor<24xf64>) {
  ^bb0(%in0: f64, %out0: f64):
    %v = math.round %in0 : f64
    linalg.yield %v : f64
  } -> tensor<24xf64>
  %r5_empty = tensor.empty() : tensor<24xf64>
  %r5 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0 : tensor<24xf64>) outs(%r5_empty : tensor<24xf64>) {
  ^bb0(%in0: f64, %out0: f64):
    %v = math.roundeven %in0 : f64
    linalg.yield %v : f64
  } -> tensor<24xf64>
  %r6_empty = tensor.empty() : tensor<24xf64>
  %r6 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0 : tensor<24xf64>) outs(%r6_empty : tensor<24xf64>) {
  ^bb0(%in0: f64, %out0: f64):
    %v = math.trunc %in0 : f64
    linalg.yield %v : f64
  } -> tensor<24xf64>
  %r7_empty = tensor.empty() : tensor<24xf64>
  %r7 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0 : tensor<24xf64>) outs(%r7_empty : tensor<24xf64>) {
  ^bb0(%in0: f64, %out0: f64):
    %v = math.sqrt %in0 : f64
    linalg.yield %v : f64
  } -> tensor<24xf64>
  return %r0, %r1, %r2, %r3, %r4, %r5, %r6, %r7 : tensor<24xf64>, tensor<24xf64>, tensor<24xf64>, tensor<24xf64>, tensor<24xf64>, tensor<24xf64>, tensor<24xf64>, tensor<24xf64>
}
