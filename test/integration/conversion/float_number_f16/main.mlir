// maxnumf and minnumf of f16, which ignore a NaN.
func.func @main(%x0: tensor<36xf16>, %x1: tensor<36xf16>) -> (tensor<36xf16>, tensor<36xf16>) {
  %r0_empty = tensor.empty() : tensor<36xf16>
  %r0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0, %x1 : tensor<36xf16>, tensor<36xf16>) outs(%r0_empty : tensor<36xf16>) {
  ^bb0(%in0: f16, %in1: f16, %out0: f16):
    %v = arith.maxnumf %in0, %in1 : f16
    linalg.yield %v : f16
  } -> tensor<36xf16>
  %r1_empty = tensor.empty() : tensor<36xf16>
  %r1 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0, %x1 : tensor<36xf16>, tensor<36xf16>) outs(%r1_empty : tensor<36xf16>) {
  ^bb0(%in0: f16, %in1: f16, %out0: f16):
    %v = arith.minnumf %in0, %in1 : f16
    linalg.yield %v : f16
  } -> tensor<36xf16>
  return %r0, %r1 : tensor<36xf16>, tensor<36xf16>
}
