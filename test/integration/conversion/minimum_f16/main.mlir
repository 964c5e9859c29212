// A minimum that starts from +inf.
func.func @main(%x: tensor<7x5xf16>) -> tensor<7xf16> {
  %start_value = arith.constant 0x7C00 : f16
  %start_empty = tensor.empty() : tensor<7xf16>
  %start = linalg.fill ins(%start_value : f16) outs(%start_empty : tensor<7xf16>) -> tensor<7xf16>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<7x5xf16>) outs(%start : tensor<7xf16>) {
  ^bb0(%in0: f16, %out0: f16):
    %v = arith.minimumf %out0, %in0 : f16
    linalg.yield %v : f16
  } -> tensor<7xf16>
  return %r : tensor<7xf16>
}
