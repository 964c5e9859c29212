// For fold-batch-norm: a matrix product whose columns are scaled and shifted.
func.func @main(%x: tensor<4x3xf32>) -> tensor<4x2xf32> attributes {loop.fp = "fast"} {
  %w = arith.constant dense<[[1.0, 2.0], [-3.0, 4.0], [5.0, -6.0]]> : tensor<3x2xf32>
  %mean = arith.constant dense<[0.5, -1.0]> : tensor<2xf32>
  %scale = arith.constant dense<[2.0, -3.0]> : tensor<2xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x2xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<4x2xf32>) -> tensor<4x2xf32>
  %y = linalg.matmul ins(%x, %w : tensor<4x3xf32>, tensor<3x2xf32>) outs(%z : tensor<4x2xf32>) -> tensor<4x2xf32>
  %n = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%y, %mean, %scale : tensor<4x2xf32>, tensor<2xf32>, tensor<2xf32>) outs(%e : tensor<4x2xf32>) {
  ^bb0(%a: f32, %m: f32, %s: f32, %o: f32):
    %d = arith.subf %a, %m : f32
    %r = arith.mulf %d, %s : f32
    linalg.yield %r : f32
  } -> tensor<4x2xf32>
  return %n : tensor<4x2xf32>
}
