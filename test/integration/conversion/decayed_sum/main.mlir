// out * 0.5 + in, dynamic: not associative, so the iterations must run in order.
func.func @main(%x: tensor<3x?xf32>) -> tensor<3xf32> {
  %zero_value = arith.constant 1.0 : f32
  %zero_empty = tensor.empty() : tensor<3xf32>
  %zero = linalg.fill ins(%zero_value : f32) outs(%zero_empty : tensor<3xf32>) -> tensor<3xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<3x?xf32>) outs(%zero : tensor<3xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %half = arith.constant 0.5 : f32
    %p = arith.mulf %out0, %half : f32
    %s = arith.addf %p, %in0 : f32
    linalg.yield %s : f32
  } -> tensor<3xf32>
  return %r : tensor<3xf32>
}
