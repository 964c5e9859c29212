// One element of a tensor becomes a scalar that a body uses.
func.func @main(%x: tensor<7x5xf32>, %i: index) -> tensor<7x5xf32> {
  %two = arith.constant 2 : index
  %c = tensor.extract %x[%i, %two] : tensor<7x5xf32>
  %r_empty = tensor.empty() : tensor<7x5xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<7x5xf32>) outs(%r_empty : tensor<7x5xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %d = arith.subf %in0, %c : f32
    linalg.yield %d : f32
  } -> tensor<7x5xf32>
  return %r : tensor<7x5xf32>
}
