// A splat and a matrix are operands of a generic, the splat twice.
func.func @main(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %two = arith.constant dense<2.0> : tensor<3xf32>
  %w = arith.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %r_empty = tensor.empty() : tensor<2x3xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%x, %w, %two, %two : tensor<2x3xf32>, tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>) outs(%r_empty : tensor<2x3xf32>) {
  ^bb0(%in0: f32, %in1: f32, %in2: f32, %in3: f32, %out0: f32):
    %p = arith.mulf %in0, %in2 : f32
    %q = arith.mulf %in1, %in3 : f32
    %d = arith.subf %p, %q : f32
    linalg.yield %d : f32
  } -> tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}
