// A generic without loops.
func.func @main(%x: tensor<f32>, %y: tensor<f32>) -> tensor<f32> {
  %r_empty = tensor.empty() : tensor<f32>
  %r = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []} ins(%x, %y : tensor<f32>, tensor<f32>) outs(%r_empty : tensor<f32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %s = arith.subf %in0, %in1 : f32
    linalg.yield %s : f32
  } -> tensor<f32>
  return %r : tensor<f32>
}
