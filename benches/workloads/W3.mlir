// gelu(x + b) by the error function: t * 0.5 * (1 + erf(t / sqrt(2))), with one value of the bias b per column.
#cell = affine_map<(i, j) -> (i, j)>
#column = affine_map<(i, j) -> (j)>

func.func @main(%x: tensor<4096x4096xf32>, %b: tensor<4096xf32>) -> tensor<4096x4096xf32> {
  %half = arith.constant 0.5 : f32
  %one = arith.constant 1.0 : f32
  %scale = arith.constant 0.707106781 : f32
  %empty = tensor.empty() : tensor<4096x4096xf32>
  %sum = linalg.generic {indexing_maps = [#cell, #column, #cell], iterator_types = ["parallel", "parallel"]}
      ins(%x, %b : tensor<4096x4096xf32>, tensor<4096xf32>) outs(%empty : tensor<4096x4096xf32>) {
  ^bb0(%a: f32, %c: f32, %out: f32):
    %s = arith.addf %a, %c : f32
    linalg.yield %s : f32
  } -> tensor<4096x4096xf32>
  %r = linalg.generic {indexing_maps = [#cell, #cell], iterator_types = ["parallel", "parallel"]}
      ins(%sum : tensor<4096x4096xf32>) outs(%empty : tensor<4096x4096xf32>) {
  ^bb0(%a: f32, %out: f32):
    %z = arith.mulf %a, %scale : f32
    %e = math.erf %z : f32
    %p = arith.addf %e, %one : f32
    %h = arith.mulf %a, %half : f32
    %g = arith.mulf %h, %p : f32
    linalg.yield %g : f32
  } -> tensor<4096x4096xf32>
  return %r : tensor<4096x4096xf32>
}
