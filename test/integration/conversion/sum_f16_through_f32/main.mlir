// The body extends to f32, adds and rounds back to f16 in each step.
func.func @main(%x: tensor<3x31xf16>) -> tensor<3xf16> {
  %zero_value = arith.constant 0.0 : f16
  %zero_empty = tensor.empty() : tensor<3xf16>
  %zero = linalg.fill ins(%zero_value : f16) outs(%zero_empty : tensor<3xf16>) -> tensor<3xf16>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<3x31xf16>) outs(%zero : tensor<3xf16>) {
  ^bb0(%in0: f16, %out0: f16):
    %wide = arith.extf %in0 : f16 to f32
    %before = arith.extf %out0 : f16 to f32
    %square = arith.mulf %wide, %wide : f32
    %s = arith.addf %before, %square : f32
    %narrow = arith.truncf %s : f32 to f16
    linalg.yield %narrow : f16
  } -> tensor<3xf16>
  return %r : tensor<3xf16>
}
