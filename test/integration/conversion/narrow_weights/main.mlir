// A product with weights of 4 bits, and their transpose.
func.func @main(%w: tensor<24x40xi4>, %s: tensor<24xf32>, %x: tensor<40xf32>) -> (tensor<24xf32>, tensor<40x24xi4>) {
  %zero_value = arith.constant 0.0 : f32
  %zero_empty = tensor.empty() : tensor<24xf32>
  %zero = linalg.fill ins(%zero_value : f32) outs(%zero_empty : tensor<24xf32>) -> tensor<24xf32>
  %sum = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%w, %x : tensor<24x40xi4>, tensor<40xf32>) outs(%zero : tensor<24xf32>) {
  ^bb0(%in0: i4, %in1: f32, %out0: f32):
    %f = arith.sitofp %in0 : i4 to f32
    %p = arith.mulf %f, %in1 : f32
    %v = arith.addf %out0, %p : f32
    linalg.yield %v : f32
  } -> tensor<24xf32>
  %r = arith.mulf %sum, %s : tensor<24xf32>
  %e = tensor.empty() : tensor<40x24xi4>
  %t = linalg.transpose ins(%w : tensor<24x40xi4>) outs(%e : tensor<40x24xi4>) permutation = [1, 0]
  return %r, %t : tensor<24xf32>, tensor<40x24xi4>
}
