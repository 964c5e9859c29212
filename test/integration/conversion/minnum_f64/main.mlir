// A minimum that ignores NaN.
func.func @main(%x: tensor<7x5xf64>) -> tensor<7xf64> {
  %start_value = arith.constant 0x7FF0000000000000 : f64
  %start_empty = tensor.empty() : tensor<7xf64>
  %start = linalg.fill ins(%start_value : f64) outs(%start_empty : tensor<7xf64>) -> tensor<7xf64>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<7x5xf64>) outs(%start : tensor<7xf64>) {
  ^bb0(%in0: f64, %out0: f64):
    %v = arith.minnumf %out0, %in0 : f64
    linalg.yield %v : f64
  } -> tensor<7xf64>
  return %r : tensor<7xf64>
}
