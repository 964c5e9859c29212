// maxnumf and minnumf of f64, which ignore a NaN.
func.func @main(%x0: tensor<36xf64>, %x1: tensor<36xf64>) -> (tensor<36xf64>, tensor<36xf64>) {
  %r0_empty = tensor.empty() : tensor<36xf64>
  %r0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0, %x1 : tensor<36xf64>, tensor<36xf64>) outs(%r0_empty : tensor<36xf64>) {
  ^bb0(%in0: f64, %in1: f64, %out0: f64):
    %v = arith.maxnumf %in0, %in1 : f64
    linalg.yield %v : f64
  } -> tensor<36xf64>
  %r1_empty = tensor.empty() : tensor<36xf64>
  %r1 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0, %x1 : tensor<36xf64>, tensor<36xf64>) outs(%r1_empty : tensor<36xf64>) {
  ^bb0(%in0: f64, %in1: f64, %out0: f64):
    %v = arith.minnumf %in0, %in1 : f64
    linalg.yield %v : f64
  } -> tensor<36xf64>
  return %r0, %r1 : tensor<36xf64>, tensor<36xf64>
}
