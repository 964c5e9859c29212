// maxnumf and minnumf of bf16, which ignore a NaN.
func.func @main(%x0: tensor<36xbf16>, %x1: tensor<36xbf16>) -> (tensor<36xbf16>, tensor<36xbf16>) {
  %r0_empty = tensor.empty() : tensor<36xbf16>
  %r0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0, %x1 : tensor<36xbf16>, tensor<36xbf16>) outs(%r0_empty : tensor<36xbf16>) {
  ^bb0(%in0: bf16, %in1: bf16, %out0: bf16):
    %v = arith.maxnumf %in0, %in1 : bf16
    linalg.yield %v : bf16
  } -> tensor<36xbf16>
  %r1_empty = tensor.empty() : tensor<36xbf16>
  %r1 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0, %x1 : tensor<36xbf16>, tensor<36xbf16>) outs(%r1_empty : tensor<36xbf16>) {
  ^bb0(%in0: bf16, %in1: bf16, %out0: bf16):
    %v = arith.minnumf %in0, %in1 : bf16
    linalg.yield %v : bf16
  } -> tensor<36xbf16>
  return %r0, %r1 : tensor<36xbf16>, tensor<36xbf16>
}
