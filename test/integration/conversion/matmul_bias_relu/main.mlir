// matmul with bias and relu.
func.func @main(%a: tensor<7x5xf32>, %b: tensor<5x3xf32>, %bias: tensor<3xf32>) -> tensor<7x3xf32> {
  %zero_value = arith.constant 0.0 : f32
  %zero_empty = tensor.empty() : tensor<7x3xf32>
  %zero = linalg.fill ins(%zero_value : f32) outs(%zero_empty : tensor<7x3xf32>) -> tensor<7x3xf32>
  %c = linalg.matmul ins(%a, %b : tensor<7x5xf32>, tensor<5x3xf32>) outs(%zero : tensor<7x3xf32>) -> tensor<7x3xf32>
  %r_empty = tensor.empty() : tensor<7x3xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%c, %bias : tensor<7x3xf32>, tensor<3xf32>) outs(%r_empty : tensor<7x3xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %s = arith.addf %in0, %in1 : f32
    %lowest = arith.constant 0.0 : f32
    %m = arith.maximumf %s, %lowest : f32
    linalg.yield %m : f32
  } -> tensor<7x3xf32>
  return %r : tensor<7x3xf32>
}
