// For channels-last: two convolutions with windows of 1 x 1, with padding between them that is not symmetric.
#X = affine_map<(n, f, h, w, c) -> (n, c, h, w)>
#W = affine_map<(n, f, h, w, c) -> (f, c)>
#Y = affine_map<(n, f, h, w, c) -> (n, f, h, w)>
func.func @main(%x: tensor<1x3x4x4xf32>) -> tensor<1x1x5x5xf32> {
  %zero = arith.constant 0.0 : f32
  %w = arith.constant dense<2.0> : tensor<16x3xf32>
  %v = arith.constant dense<3.0> : tensor<1x16xf32>
  %e = tensor.empty() : tensor<1x16x4x4xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1x16x4x4xf32>) -> tensor<1x16x4x4xf32>
  %y = linalg.generic {indexing_maps = [#X, #W, #Y], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<1x3x4x4xf32>, tensor<16x3xf32>) outs(%z : tensor<1x16x4x4xf32>) {
  ^bb0(%a: f32, %b: f32, %s: f32):
    %p = arith.mulf %a, %b : f32
    %r = arith.addf %p, %s : f32
    linalg.yield %r : f32
  } -> tensor<1x16x4x4xf32>
  %padded = tensor.pad %y low[0, 0, 1, 0] high[0, 0, 0, 1] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : f32
  } : tensor<1x16x4x4xf32> to tensor<1x16x5x5xf32>
  %e1 = tensor.empty() : tensor<1x1x5x5xf32>
  %z1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<1x1x5x5xf32>) -> tensor<1x1x5x5xf32>
  %y1 = linalg.generic {indexing_maps = [#X, #W, #Y], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%padded, %v : tensor<1x16x5x5xf32>, tensor<1x16xf32>) outs(%z1 : tensor<1x1x5x5xf32>) {
  ^bb0(%a: f32, %b: f32, %s: f32):
    %p = arith.mulf %a, %b : f32
    %r = arith.addf %p, %s : f32
    linalg.yield %r : f32
  } -> tensor<1x1x5x5xf32>
  return %y1 : tensor<1x1x5x5xf32>
}
