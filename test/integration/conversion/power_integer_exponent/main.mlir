// fpowi with an i32 and with a constant i64 exponent, the form that torch-mlir emits.
func.func @main(%x: tensor<13xf32>, %n: tensor<13xi32>) -> (tensor<13xf32>, tensor<13xf32>) {
  %three = arith.constant 3 : i64
  %r_empty = tensor.empty() : tensor<13xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x, %n : tensor<13xf32>, tensor<13xi32>) outs(%r_empty : tensor<13xf32>) {
  ^bb0(%in0: f32, %in1: i32, %out0: f32):
    %p = math.fpowi %in0, %in1 : f32, i32
    linalg.yield %p : f32
  } -> tensor<13xf32>
  %cube_empty = tensor.empty() : tensor<13xf32>
  %cube = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x : tensor<13xf32>) outs(%cube_empty : tensor<13xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %p = math.fpowi %in0, %three : f32, i64
    linalg.yield %p : f32
  } -> tensor<13xf32>
  return %r, %cube : tensor<13xf32>, tensor<13xf32>
}
