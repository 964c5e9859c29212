// Binary operations of f64 on all pairs of special values, and on others.
func.func @main(%x0: tensor<58xf64>, %x1: tensor<58xf64>) -> (tensor<58xf64>, tensor<58xf64>, tensor<58xf64>, tensor<58xf64>, tensor<58xf64>, tensor<58xf64>, tensor<58xf64>, tensor<58xf64>) {
  %r0_empty = tensor.empty() : tensor<58xf64>
  %r0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0, %x1 : tensor<58xf64>, tensor<58xf64>) outs(%r0_empty : tensor<58xf64>) {
  ^bb0(%in0: f64, %in1: f64, %out0: f64):
    %v = arith.addf %in0, %in1 : f64
    linalg.yield %v : f64
  } -> tensor<58xf64>
  %r1_empty = tensor.empty() : tensor<58xf64>
  %r1 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0, %x1 : tensor<58xf64>, tensor<58xf64>) outs(%r1_empty : tensor<58xf64>) {
  ^bb0(%in0: f64, %in1: f64, %out0: f64):
    %v = arith.subf %in0, %in1 : f64
    linalg.yield %v : f64
  } -> tensor<58xf64>
  %r2_empty = tensor.empty() : tensor<58xf64>
  %r2 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0, %x1 : tensor<58xf64>, tensor<58xf64>) outs(%r2_empty : tensor<58xf64>) {
  ^bb0(%in0: f64, %in1: f64, %out0: f64):
    %v = arith.mulf %in0, %in1 : f64
    linalg.yield %v : f64
  } -> tensor<58xf64>
  %r3_empty = tensor.empty() : tensor<58xf64>
  %r3 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0, %x1 : tensor<58xf64>, tensor<58xf64>) outs(%r3_empty : tensor<58xf64>) {
  ^bb0(%in0: f64, %in1: f64, %out0: f64):
    %v = arith.divf %in0, %in1 : f64
    linalg.yield %v : f64
  } -> tensor<58xf64>
  %r4_empty = tensor.empty() : tensor<58xf64>
  %r4 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0, %x1 : tensor<58xf64>, tensor<58xf64>) outs(%r4_empty : tensor<58xf64>) {
  ^bb0(%in0: f64, %in1: f64, %out0: f64):
    %v = arith.remf %in0, %in1 : f64
    linalg.yield %v : f64
  } -> tensor<58xf64>
  %r5_empty = tensor.empty() : tensor<58xf64>
  %r5 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0, %x1 : tensor<58xf64>, tensor<58xf64>) outs(%r5_empty : tensor<58xf64>) {
  ^bb0(%in0: f64, %in1: f64, %out0: f64):
    %v = arith.maximumf %in0, %in1 : f64
    linalg.yield %v : f64
  } -> tensor<58xf64>
  %r6_empty = tensor.empty() : tensor<58xf64>
  %r6 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0, %x1 : tensor<58xf64>, tensor<58xf64>) outs(%r6_empty : tensor<58xf64>) {
  ^bb0(%in0: f64, %in1: f64, %out0: f64):
    %v = arith.minimumf %in0, %in1 : f64
    linalg.yield %v : f64
  } -> tensor<58xf64>
  %r7_empty = tensor.empty() : tensor<58xf64>
  %r7 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0, %x1 : tensor<58xf64>, tensor<58xf64>) outs(%r7_empty : tensor<58xf64>) {
  ^bb0(%in0: f64, %in1: f64, %out0: f64):
    %v = math.copysign %in0, %in1 : f64
    linalg.yield %v : f64
  } -> tensor<58xf64>
  return %r0, %r1, %r2, %r3, %r4, %r5, %r6, %r7 : tensor<58xf64>, tensor<58xf64>, tensor<58xf64>, tensor<58xf64>, tensor<58xf64>, tensor<58xf64>, tensor<58xf64>, tensor<58xf64>
}
