// The called function is dynamic, takes a scalar and has two results.
func.func private @shift(%x: tensor<?xf32>, %s: f32) -> (tensor<?xf32>, tensor<f32>) {
  %n_axis = arith.constant 0 : index
  %n = tensor.dim %x, %n_axis : tensor<?xf32>
  %a_empty = tensor.empty(%n) : tensor<?xf32>
  %a = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x : tensor<?xf32>) outs(%a_empty : tensor<?xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %v = arith.addf %in0, %s : f32
    linalg.yield %v : f32
  } -> tensor<?xf32>
  %zero_value = arith.constant 0.0 : f32
  %zero_empty = tensor.empty() : tensor<f32>
  %zero = linalg.fill ins(%zero_value : f32) outs(%zero_empty : tensor<f32>) -> tensor<f32>
  %b = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>], iterator_types = ["reduction"]} ins(%x : tensor<?xf32>) outs(%zero : tensor<f32>) {
  ^bb0(%in0: f32, %out0: f32):
    %v = arith.addf %out0, %in0 : f32
    linalg.yield %v : f32
  } -> tensor<f32>
  return %a, %b : tensor<?xf32>, tensor<f32>
}
func.func @main(%x: tensor<?xf32>) -> (tensor<?xf32>, tensor<f32>) {
  %s = arith.constant 0.5 : f32
  %a, %b = call @shift(%x, %s) : (tensor<?xf32>, f32) -> (tensor<?xf32>, tensor<f32>)
  return %a, %b : tensor<?xf32>, tensor<f32>
}
