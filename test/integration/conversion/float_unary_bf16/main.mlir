// Unary operations of bf16 that lose nothing or are correctly rounded.
func.func @main(%x0: tensor<24xbf16>) -> (tensor<24xbf16>, tensor<24xbf16>, tensor<24xbf16>, tensor<24xbf16>, tensor<24xbf16>, tensor<24xbf16>, tensor<24xbf16>, tensor<24xbf16>) {
  %r0_empty = tensor.empty() : tensor<24xbf16>
  %r0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0 : tensor<24xbf16>) outs(%r0_empty : tensor<24xbf16>) {
  ^bb0(%in0: bf16, %out0: bf16):
    %v = arith.negf %in0 : bf16
    linalg.yield %v : bf16
  } -> tensor<24xbf16>
  %r1_empty = tensor.empty() : tensor<24xbf16>
  %r1 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0 : tensor<24xbf16>) outs(%r1_empty : tensor<24xbf16>) {
  ^bb0(%in0: bf16, %out0: bf16):
    %v = math.absf %in0 : bf16
    linalg.yield %v : bf16
  } -> tensor<24xbf16>
  %r2_empty = tensor.empty() : tensor<24xbf16>
  %r2 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0 : tensor<24xbf16>) outs(%r2_empty : tensor<24xbf16>) {
  ^bb0(%in0: bf16, %out0: bf16):
    %v = math.floor %in0 : bf16
    linalg.yield %v : bf16
  } -> tensor<24xbf16>
  %r3_empty = tensor.empty() : tensor<24xbf16>
  %r3 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0 : tensor<24xbf16>) outs(%r3_empty : tensor<24xbf16>) {
  ^bb0(%in0: bf16, %out0: bf16):
    %v = math.ceil %in0 : bf16
    linalg.yield %v : bf16
  } -> tensor<24xbf16>
  %r4_empty = tensor.empty() : tensor<24xbf16>
  %r4 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0 : tensor<24xbf16>) outs(%r4_empty : tensor<24xbf16>) {
  ^bb0(%in0: bf16, %out0: bf16):
    %v = math.round %in0 : bf16
    linalg.yield %v : bf16
  } -> tensor<24xbf16>
  %r5_empty = tensor.empty() : tensor<24xbf16>
  %r5 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0 : tensor<24xbf16>) outs(%r5_empty : tensor<24xbf16>) {
  ^bb0(%in0: bf16, %out0: bf16):
    %v = math.roundeven %in0 : bf16
    linalg.yield %v : bf16
  } -> tensor<24xbf16>
  %r6_empty = tensor.empty() : tensor<24xbf16>
  %r6 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0 : tensor<24xbf16>) outs(%r6_empty : tensor<24xbf16>) {
  ^bb0(%in0: bf16, %out0: bf16):
    %v = math.trunc %in0 : bf16
    linalg.yield %v : bf16
  } -> tensor<24xbf16>
  %r7_empty = tensor.empty() : tensor<24xbf16>
  %r7 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0 : tensor<24xbf16>) outs(%r7_empty : tensor<24xbf16>) {
  ^bb0(%in0: bf16, %out0: bf16):
    %v = math.sqrt %in0 : bf16
    linalg.yield %v : bf16
  } -> tensor<24xbf16>
  return %r0, %r1, %r2, %r3, %r4, %r5, %r6, %r7 : tensor<24xbf16>, tensor<24xbf16>, tensor<24xbf16>, tensor<24xbf16>, tensor<24xbf16>, tensor<24xbf16>, tensor<24xbf16>, tensor<24xbf16>
}
