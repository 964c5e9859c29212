// A maximum that ignores NaN.
func.func @main(%x: tensor<7x5xbf16>) -> tensor<7xbf16> {
  %start_value = arith.constant 0xFF80 : bf16
  %start_empty = tensor.empty() : tensor<7xbf16>
  %start = linalg.fill ins(%start_value : bf16) outs(%start_empty : tensor<7xbf16>) -> tensor<7xbf16>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<7x5xbf16>) outs(%start : tensor<7xbf16>) {
  ^bb0(%in0: bf16, %out0: bf16):
    %v = arith.maxnumf %out0, %in0 : bf16
    linalg.yield %v : bf16
  } -> tensor<7xbf16>
  return %r : tensor<7xbf16>
}
