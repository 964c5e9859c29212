// @main calls a private function twice.
func.func private @double(%x: tensor<7x5xf32>) -> tensor<7x5xf32> {
  %r_empty = tensor.empty() : tensor<7x5xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<7x5xf32>) outs(%r_empty : tensor<7x5xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %s = arith.addf %in0, %in0 : f32
    linalg.yield %s : f32
  } -> tensor<7x5xf32>
  return %r : tensor<7x5xf32>
}
func.func @main(%x: tensor<7x5xf32>) -> (tensor<7x5xf32>, tensor<7x5xf32>) {
  %a = call @double(%x) : (tensor<7x5xf32>) -> tensor<7x5xf32>
  %b_empty = tensor.empty() : tensor<7x5xf32>
  %b = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<7x5xf32>) outs(%b_empty : tensor<7x5xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %s = arith.negf %in0 : f32
    linalg.yield %s : f32
  } -> tensor<7x5xf32>
  %c = call @double(%b) : (tensor<7x5xf32>) -> tensor<7x5xf32>
  return %c, %a : tensor<7x5xf32>, tensor<7x5xf32>
}
