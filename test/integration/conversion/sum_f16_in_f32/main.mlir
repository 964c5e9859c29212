// The body extends f16 to f32 and adds there.
func.func @main(%x: tensor<3x31xf16>) -> tensor<3xf32> {
  %zero_value = arith.constant 0.0 : f32
  %zero_empty = tensor.empty() : tensor<3xf32>
  %zero = linalg.fill ins(%zero_value : f32) outs(%zero_empty : tensor<3xf32>) -> tensor<3xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<3x31xf16>) outs(%zero : tensor<3xf32>) {
  ^bb0(%in0: f16, %out0: f32):
    %wide = arith.extf %in0 : f16 to f32
    %s = arith.addf %out0, %wide : f32
    linalg.yield %s : f32
  } -> tensor<3xf32>
  return %r : tensor<3xf32>
}
