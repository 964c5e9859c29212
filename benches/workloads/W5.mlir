// Layer norm of each row: (x - mean) / sqrt(variance + 1e-5) * g + b.
#cell = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#column = affine_map<(i, j) -> (j)>
#line = affine_map<(i) -> (i)>

func.func @main(%x: tensor<4096x1024xf32>, %g: tensor<1024xf32>, %b: tensor<1024xf32>) -> tensor<4096x1024xf32> {
  %zero = arith.constant 0.0 : f32
  %n = arith.constant 1024.0 : f32
  %eps = arith.constant 1.0e-5 : f32
  %rows = tensor.empty() : tensor<4096xf32>
  %empty = tensor.empty() : tensor<4096x1024xf32>
  %z = linalg.fill ins(%zero : f32) outs(%rows : tensor<4096xf32>) -> tensor<4096xf32>
  %sum = linalg.generic {indexing_maps = [#cell, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<4096x1024xf32>) outs(%z : tensor<4096xf32>) {
  ^bb0(%a: f32, %out: f32):
    %s = arith.addf %out, %a : f32
    linalg.yield %s : f32
  } -> tensor<4096xf32>
  %mean = linalg.generic {indexing_maps = [#line, #line], iterator_types = ["parallel"]}
      ins(%sum : tensor<4096xf32>) outs(%rows : tensor<4096xf32>) {
  ^bb0(%a: f32, %out: f32):
    %q = arith.divf %a, %n : f32
    linalg.yield %q : f32
  } -> tensor<4096xf32>
  %d = linalg.generic {indexing_maps = [#cell, #row, #cell], iterator_types = ["parallel", "parallel"]}
      ins(%x, %mean : tensor<4096x1024xf32>, tensor<4096xf32>) outs(%empty : tensor<4096x1024xf32>) {
  ^bb0(%a: f32, %m: f32, %out: f32):
    %s = arith.subf %a, %m : f32
    linalg.yield %s : f32
  } -> tensor<4096x1024xf32>
  %squares = linalg.generic {indexing_maps = [#cell, #row], iterator_types = ["parallel", "reduction"]}
      ins(%d : tensor<4096x1024xf32>) outs(%z : tensor<4096xf32>) {
  ^bb0(%a: f32, %out: f32):
    %p = arith.mulf %a, %a : f32
    %s = arith.addf %out, %p : f32
    linalg.yield %s : f32
  } -> tensor<4096xf32>
  %inv = linalg.generic {indexing_maps = [#line, #line], iterator_types = ["parallel"]}
      ins(%squares : tensor<4096xf32>) outs(%rows : tensor<4096xf32>) {
  ^bb0(%a: f32, %out: f32):
    %q = arith.divf %a, %n : f32
    %e = arith.addf %q, %eps : f32
    %i = math.rsqrt %e : f32
    linalg.yield %i : f32
  } -> tensor<4096xf32>
  %r = linalg.generic {indexing_maps = [#cell, #row, #column, #column, #cell], iterator_types = ["parallel", "parallel"]}
      ins(%d, %inv, %g, %b : tensor<4096x1024xf32>, tensor<4096xf32>, tensor<1024xf32>, tensor<1024xf32>)
      outs(%empty : tensor<4096x1024xf32>) {
  ^bb0(%a: f32, %i: f32, %w: f32, %c: f32, %out: f32):
    %p = arith.mulf %a, %i : f32
    %q = arith.mulf %p, %w : f32
    %o = arith.addf %q, %c : f32
    linalg.yield %o : f32
  } -> tensor<4096x1024xf32>
  return %r : tensor<4096x1024xf32>
}
