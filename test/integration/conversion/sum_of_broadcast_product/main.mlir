// Inputs of different ranks under one reduction.
func.func @main(%x: tensor<7x5xf32>, %w: tensor<5xf32>, %s: f32) -> tensor<7xf32> {
  %zero_value = arith.constant 0.0 : f32
  %zero_empty = tensor.empty() : tensor<7xf32>
  %zero = linalg.fill ins(%zero_value : f32) outs(%zero_empty : tensor<7xf32>) -> tensor<7xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> ()>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%x, %w, %s : tensor<7x5xf32>, tensor<5xf32>, f32) outs(%zero : tensor<7xf32>) {
  ^bb0(%in0: f32, %in1: f32, %in2: f32, %out0: f32):
    %p = arith.mulf %in0, %in1 : f32
    %q = arith.mulf %p, %in2 : f32
    %t = arith.addf %out0, %q : f32
    linalg.yield %t : f32
  } -> tensor<7xf32>
  return %r : tensor<7xf32>
}
