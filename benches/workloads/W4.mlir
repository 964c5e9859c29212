// Softmax of each row: exp(x - max) / sum(exp(x - max)).
#cell = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>

func.func @main(%x: tensor<4096x4096xf32>) -> tensor<4096x4096xf32> {
  %low = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %rows = tensor.empty() : tensor<4096xf32>
  %empty = tensor.empty() : tensor<4096x4096xf32>
  %l = linalg.fill ins(%low : f32) outs(%rows : tensor<4096xf32>) -> tensor<4096xf32>
  %z = linalg.fill ins(%zero : f32) outs(%rows : tensor<4096xf32>) -> tensor<4096xf32>
  %max = linalg.generic {indexing_maps = [#cell, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<4096x4096xf32>) outs(%l : tensor<4096xf32>) {
  ^bb0(%a: f32, %out: f32):
    %m = arith.maximumf %out, %a : f32
    linalg.yield %m : f32
  } -> tensor<4096xf32>
  %exp = linalg.generic {indexing_maps = [#cell, #row, #cell], iterator_types = ["parallel", "parallel"]}
      ins(%x, %max : tensor<4096x4096xf32>, tensor<4096xf32>) outs(%empty : tensor<4096x4096xf32>) {
  ^bb0(%a: f32, %m: f32, %out: f32):
    %d = arith.subf %a, %m : f32
    %e = math.exp %d : f32
    linalg.yield %e : f32
  } -> tensor<4096x4096xf32>
  %sum = linalg.generic {indexing_maps = [#cell, #row], iterator_types = ["parallel", "reduction"]}
      ins(%exp : tensor<4096x4096xf32>) outs(%z : tensor<4096xf32>) {
  ^bb0(%a: f32, %out: f32):
    %s = arith.addf %out, %a : f32
    linalg.yield %s : f32
  } -> tensor<4096xf32>
  %r = linalg.generic {indexing_maps = [#cell, #row, #cell], iterator_types = ["parallel", "parallel"]}
      ins(%exp, %sum : tensor<4096x4096xf32>, tensor<4096xf32>) outs(%empty : tensor<4096x4096xf32>) {
  ^bb0(%a: f32, %s: f32, %out: f32):
    %q = arith.divf %a, %s : f32
    linalg.yield %q : f32
  } -> tensor<4096x4096xf32>
  return %r : tensor<4096x4096xf32>
}
