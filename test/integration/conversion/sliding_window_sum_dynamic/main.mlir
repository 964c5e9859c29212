// A map that adds two loops; the size of the window comes from a tensor.empty.
func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {
  %n_axis = arith.constant 0 : index
  %n = tensor.dim %x, %n_axis : tensor<?xf32>
  %two = arith.constant 2 : index
  %m = arith.subi %n, %two : index
  %window = tensor.empty() : tensor<3xf32>
  %zero_value = arith.constant 0.0 : f32
  %zero_empty = tensor.empty(%m) : tensor<?xf32>
  %zero = linalg.fill ins(%zero_value : f32) outs(%zero_empty : tensor<?xf32>) -> tensor<?xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, k) -> (i + k)>, affine_map<(i, k) -> (k)>, affine_map<(i, k) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%x, %window : tensor<?xf32>, tensor<3xf32>) outs(%zero : tensor<?xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %s = arith.addf %out0, %in0 : f32
    linalg.yield %s : f32
  } -> tensor<?xf32>
  return %r : tensor<?xf32>
}
