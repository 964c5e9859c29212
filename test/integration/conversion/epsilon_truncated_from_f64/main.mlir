// An f64 constant that the body truncates to f32, as torch-mlir emits it.
func.func @main(%x: tensor<7x5xf32>) -> tensor<7x5xf32> {
  %epsilon = arith.constant 1.000000e-05 : f64
  %r_empty = tensor.empty() : tensor<7x5xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<7x5xf32>) outs(%r_empty : tensor<7x5xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %e = arith.truncf %epsilon : f64 to f32
    %s = arith.addf %in0, %e : f32
    linalg.yield %s : f32
  } -> tensor<7x5xf32>
  return %r : tensor<7x5xf32>
}
