// A sum that rounds to f16 after each step.
func.func @main(%x: tensor<3x31xf16>) -> tensor<3xf16> {
  %start_value = arith.constant 0.0 : f16
  %start_empty = tensor.empty() : tensor<3xf16>
  %start = linalg.fill ins(%start_value : f16) outs(%start_empty : tensor<3xf16>) -> tensor<3xf16>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<3x31xf16>) outs(%start : tensor<3xf16>) {
  ^bb0(%in0: f16, %out0: f16):
    %v = arith.addf %out0, %in0 : f16
    linalg.yield %v : f16
  } -> tensor<3xf16>
  return %r : tensor<3xf16>
}
