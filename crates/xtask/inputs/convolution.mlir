// For winograd-conv2d: a convolution with windows of 3 x 3.
func.func @main(%x: tensor<24x6x6xf32>) -> tensor<24x4x4xf32> attributes {loop.fp = "fast"} {
  %zero = arith.constant 0.0 : f32
  %w = arith.constant dense<2.0> : tensor<24x24x3x3xf32>
  %e = tensor.empty() : tensor<24x4x4xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<24x4x4xf32>) -> tensor<24x4x4xf32>
  %y = linalg.generic {
      indexing_maps = [affine_map<(f, h, w, c, i, j) -> (c, h + i, w + j)>, affine_map<(f, h, w, c, i, j) -> (f, c, i, j)>, affine_map<(f, h, w, c, i, j) -> (f, h, w)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %w : tensor<24x6x6xf32>, tensor<24x24x3x3xf32>) outs(%z : tensor<24x4x4xf32>) {
  ^bb0(%a: f32, %b: f32, %s: f32):
    %p = arith.mulf %a, %b : f32
    %r = arith.addf %p, %s : f32
    linalg.yield %r : f32
  } -> tensor<24x4x4xf32>
  return %y : tensor<24x4x4xf32>
}
