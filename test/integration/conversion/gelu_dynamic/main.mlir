// The exact gelu as torch-mlir emits it.
func.func @main(%x: tensor<?x5xf32>) -> tensor<?x5xf32> {
  %n_axis = arith.constant 0 : index
  %n = tensor.dim %x, %n_axis : tensor<?x5xf32>
  %r_empty = tensor.empty(%n) : tensor<?x5xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<?x5xf32>) outs(%r_empty : tensor<?x5xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %half = arith.constant 5.000000e-01 : f32
    %one = arith.constant 1.000000e+00 : f32
    %root = arith.constant 0.707106769 : f32
    %scaled = arith.mulf %in0, %root : f32
    %erf = math.erf %scaled : f32
    %plus = arith.addf %erf, %one : f32
    %x_half = arith.mulf %in0, %half : f32
    %r = arith.mulf %x_half, %plus : f32
    linalg.yield %r : f32
  } -> tensor<?x5xf32>
  return %r : tensor<?x5xf32>
}
