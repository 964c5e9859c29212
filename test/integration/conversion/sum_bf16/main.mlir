// A sum that rounds to bf16 after each step.
func.func @main(%x: tensor<3x31xbf16>) -> tensor<3xbf16> {
  %start_value = arith.constant 0.0 : bf16
  %start_empty = tensor.empty() : tensor<3xbf16>
  %start = linalg.fill ins(%start_value : bf16) outs(%start_empty : tensor<3xbf16>) -> tensor<3xbf16>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<3x31xbf16>) outs(%start : tensor<3xbf16>) {
  ^bb0(%in0: bf16, %out0: bf16):
    %v = arith.addf %out0, %in0 : bf16
    linalg.yield %v : bf16
  } -> tensor<3xbf16>
  return %r : tensor<3xbf16>
}
