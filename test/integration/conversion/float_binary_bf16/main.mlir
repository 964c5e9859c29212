// Binary operations of bf16 on all pairs of special values, and on others.
func.func @main(%x0: tensor<58xbf16>, %x1: tensor<58xbf16>) -> (tensor<58xbf16>, tensor<58xbf16>, tensor<58xbf16>, tensor<58xbf16>, tensor<58xbf16>, tensor<58xbf16>, tensor<58xbf16>, tensor<58xbf16>) {
  %r0_empty = tensor.empty() : tensor<58xbf16>
  %r0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0, %x1 : tensor<58xbf16>, tensor<58xbf16>) outs(%r0_empty : tensor<58xbf16>) {
  ^bb0(%in0: bf16, %in1: bf16, %out0: bf16):
    %v = arith.addf %in0, %in1 : bf16
    linalg.yield %v : bf16
  } -> tensor<58xbf16>
  %r1_empty = tensor.empty() : tensor<58xbf16>
  %r1 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0, %x1 : tensor<58xbf16>, tensor<58xbf16>) outs(%r1_empty : tensor<58xbf16>) {
  ^bb0(%in0: bf16, %in1: bf16, %out0: bf16):
    %v = arith.subf %in0, %in1 : bf16
    linalg.yield %v : bf16
  } -> tensor<58xbf16>
  %r2_empty = tensor.empty() : tensor<58xbf16>
  %r2 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0, %x1 : tensor<58xbf16>, tensor<58xbf16>) outs(%r2_empty : tensor<58xbf16>) {
  ^bb0(%in0: bf16, %in1: bf16, %out0: bf16):
    %v = arith.mulf %in0, %in1 : bf16
    linalg.yield %v : bf16
  } -> tensor<58xbf16>
  %r3_empty = tensor.empty() : tensor<58xbf16>
  %r3 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0, %x1 : tensor<58xbf16>, tensor<58xbf16>) outs(%r3_empty : tensor<58xbf16>) {
  ^bb0(%in0: bf16, %in1: bf16, %out0: bf16):
    %v = arith.divf %in0, %in1 : bf16
    linalg.yield %v : bf16
  } -> tensor<58xbf16>
  %r4_empty = tensor.empty() : tensor<58xbf16>
  %r4 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0, %x1 : tensor<58xbf16>, tensor<58xbf16>) outs(%r4_empty : tensor<58xbf16>) {
  ^bb0(%in0: bf16, %in1: bf16, %out0: bf16):
    %v = arith.remf %in0, %in1 : bf16
    linalg.yield %v : bf16
  } -> tensor<58xbf16>
  %r5_empty = tensor.empty() : tensor<58xbf16>
  %r5 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0, %x1 : tensor<58xbf16>, tensor<58xbf16>) outs(%r5_empty : tensor<58xbf16>) {
  ^bb0(%in0: bf16, %in1: bf16, %out0: bf16):
    %v = arith.maximumf %in0, %in1 : bf16
    linalg.yield %v : bf16
  } -> tensor<58xbf16>
  %r6_empty = tensor.empty() : tensor<58xbf16>
  %r6 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0, %x1 : tensor<58xbf16>, tensor<58xbf16>) outs(%r6_empty : tensor<58xbf16>) {
  ^bb0(%in0: bf16, %in1: bf16, %out0: bf16):
    %v = arith.minimumf %in0, %in1 : bf16
    linalg.yield %v : bf16
  } -> tensor<58xbf16>
  %r7_empty = tensor.empty() : tensor<58xbf16>
  %r7 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0, %x1 : tensor<58xbf16>, tensor<58xbf16>) outs(%r7_empty : tensor<58xbf16>) {
  ^bb0(%in0: bf16, %in1: bf16, %out0: bf16):
    %v = math.copysign %in0, %in1 : bf16
    linalg.yield %v : bf16
  } -> tensor<58xbf16>
  return %r0, %r1, %r2, %r3, %r4, %r5, %r6, %r7 : tensor<58xbf16>, tensor<58xbf16>, tensor<58xbf16>, tensor<58xbf16>, tensor<58xbf16>, tensor<58xbf16>, tensor<58xbf16>, tensor<58xbf16>
}
