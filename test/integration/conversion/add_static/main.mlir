// The simplest case: two inputs, identity maps, static sizes.
func.func @main(%x: tensor<7x5xf32>, %y: tensor<7x5xf32>) -> tensor<7x5xf32> {
  %r_empty = tensor.empty() : tensor<7x5xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%x, %y : tensor<7x5xf32>, tensor<7x5xf32>) outs(%r_empty : tensor<7x5xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %s = arith.addf %in0, %in1 : f32
    linalg.yield %s : f32
  } -> tensor<7x5xf32>
  return %r : tensor<7x5xf32>
}
