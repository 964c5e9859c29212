// Two layers in bf16 that accumulate in f32, with a residual.
func.func @main(%x: tensor<3x5xbf16>, %w: tensor<5x7xbf16>, %u: tensor<7x5xbf16>) -> tensor<3x5xbf16> {
  %zero_value = arith.constant 0.0 : f32
  %zero_empty = tensor.empty() : tensor<3x7xf32>
  %zero = linalg.fill ins(%zero_value : f32) outs(%zero_empty : tensor<3x7xf32>) -> tensor<3x7xf32>
  %a = linalg.matmul ins(%x, %w : tensor<3x5xbf16>, tensor<5x7xbf16>) outs(%zero : tensor<3x7xf32>) -> tensor<3x7xf32>
  %h_empty = tensor.empty() : tensor<3x7xbf16>
  %h = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<3x7xf32>) outs(%h_empty : tensor<3x7xbf16>) {
  ^bb0(%in0: f32, %out0: bf16):
    %lowest = arith.constant 0.0 : f32
    %m = arith.maximumf %in0, %lowest : f32
    %n = arith.truncf %m : f32 to bf16
    linalg.yield %n : bf16
  } -> tensor<3x7xbf16>
  %start_value = arith.constant 0.0 : f32
  %start_empty = tensor.empty() : tensor<3x5xf32>
  %start = linalg.fill ins(%start_value : f32) outs(%start_empty : tensor<3x5xf32>) -> tensor<3x5xf32>
  %b = linalg.matmul ins(%h, %u : tensor<3x7xbf16>, tensor<7x5xbf16>) outs(%start : tensor<3x5xf32>) -> tensor<3x5xf32>
  %r_empty = tensor.empty() : tensor<3x5xbf16>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%b, %x : tensor<3x5xf32>, tensor<3x5xbf16>) outs(%r_empty : tensor<3x5xbf16>) {
  ^bb0(%in0: f32, %in1: bf16, %out0: bf16):
    %n = arith.truncf %in0 : f32 to bf16
    %s = arith.addf %n, %in1 : bf16
    linalg.yield %s : bf16
  } -> tensor<3x5xbf16>
  return %r : tensor<3x5xbf16>
}
