// maxnumf and minnumf of f32, which ignore a NaN.
func.func @main(%x0: tensor<36xf32>, %x1: tensor<36xf32>) -> (tensor<36xf32>, tensor<36xf32>) {
  %r0_empty = tensor.empty() : tensor<36xf32>
  %r0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0, %x1 : tensor<36xf32>, tensor<36xf32>) outs(%r0_empty : tensor<36xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %v = arith.maxnumf %in0, %in1 : f32
    linalg.yield %v : f32
  } -> tensor<36xf32>
  %r1_empty = tensor.empty() : tensor<36xf32>
  %r1 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0, %x1 : tensor<36xf32>, tensor<36xf32>) outs(%r1_empty : tensor<36xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %v = arith.minnumf %in0, %in1 : f32
    linalg.yield %v : f32
  } -> tensor<36xf32>
  return %r0, %r1 : tensor<36xf32>, tensor<36xf32>
}
