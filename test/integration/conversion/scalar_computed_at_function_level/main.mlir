// The body uses scalars that the function computes from its arguments.
func.func @main(%x: tensor<7x5xf32>, %a: f32, %b: f32) -> tensor<7x5xf32> {
  %sum = arith.addf %a, %b : f32
  %root = math.sqrt %sum : f32
  %r_empty = tensor.empty() : tensor<7x5xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<7x5xf32>) outs(%r_empty : tensor<7x5xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %q = arith.divf %in0, %root : f32
    linalg.yield %q : f32
  } -> tensor<7x5xf32>
  return %r : tensor<7x5xf32>
}
