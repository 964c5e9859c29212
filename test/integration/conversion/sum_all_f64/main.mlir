// A sum in f64.
func.func @main(%x: tensor<7x5xf64>) -> tensor<f64> {
  %start_value = arith.constant 0.0 : f64
  %start_empty = tensor.empty() : tensor<f64>
  %start = linalg.fill ins(%start_value : f64) outs(%start_empty : tensor<f64>) -> tensor<f64>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> ()>], iterator_types = ["reduction", "reduction"]} ins(%x : tensor<7x5xf64>) outs(%start : tensor<f64>) {
  ^bb0(%in0: f64, %out0: f64):
    %v = arith.addf %out0, %in0 : f64
    linalg.yield %v : f64
  } -> tensor<f64>
  return %r : tensor<f64>
}
