// A reduction whose body does not read the destination: the last iteration determines the result.
func.func @main(%x: tensor<7x5xf32>) -> tensor<7xf32> {
  %zero_value = arith.constant 0.0 : f32
  %zero_empty = tensor.empty() : tensor<7xf32>
  %zero = linalg.fill ins(%zero_value : f32) outs(%zero_empty : tensor<7xf32>) -> tensor<7xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<7x5xf32>) outs(%zero : tensor<7xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    linalg.yield %in0 : f32
  } -> tensor<7xf32>
  return %r : tensor<7xf32>
}
