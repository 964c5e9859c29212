// fma rounds once where mulf and addf round twice.
func.func @main(%x0: tensor<5xf32>, %x1: tensor<5xf32>, %x2: tensor<5xf32>) -> tensor<5xf32> {
  %r0_empty = tensor.empty() : tensor<5xf32>
  %r0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0, %x1, %x2 : tensor<5xf32>, tensor<5xf32>, tensor<5xf32>) outs(%r0_empty : tensor<5xf32>) {
  ^bb0(%in0: f32, %in1: f32, %in2: f32, %out0: f32):
    %v = math.fma %in0, %in1, %in2 : f32
    linalg.yield %v : f32
  } -> tensor<5xf32>
  return %r0 : tensor<5xf32>
}
