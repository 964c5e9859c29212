// Two sums of one input in one generic.
func.func @main(%x: tensor<7x5xf32>) -> (tensor<7xf32>, tensor<7xf32>) {
  %zero_value = arith.constant 0.0 : f32
  %zero_empty = tensor.empty() : tensor<7xf32>
  %zero = linalg.fill ins(%zero_value : f32) outs(%zero_empty : tensor<7xf32>) -> tensor<7xf32>
  %sum, %squares = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<7x5xf32>) outs(%zero, %zero : tensor<7xf32>, tensor<7xf32>) {
  ^bb0(%in0: f32, %out0: f32, %out1: f32):
    %s = arith.addf %out0, %in0 : f32
    %p = arith.mulf %in0, %in0 : f32
    %q = arith.addf %out1, %p : f32
    linalg.yield %s, %q : f32, f32
  } -> (tensor<7xf32>, tensor<7xf32>)
  return %sum, %squares : tensor<7xf32>, tensor<7xf32>
}
