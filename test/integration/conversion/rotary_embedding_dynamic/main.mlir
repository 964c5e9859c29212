// Slices, negation and concat with a dynamic number of rows.
func.func @main(%x: tensor<?x6xf32>, %cosine: tensor<?x6xf32>, %sine: tensor<?x6xf32>) -> tensor<?x6xf32> {
  %n_axis = arith.constant 0 : index
  %n = tensor.dim %x, %n_axis : tensor<?x6xf32>
  %low = tensor.extract_slice %x[0, 0] [%n, 3] [1, 1] : tensor<?x6xf32> to tensor<?x3xf32>
  %high = tensor.extract_slice %x[0, 3] [%n, 3] [1, 1] : tensor<?x6xf32> to tensor<?x3xf32>
  %negative_empty = tensor.empty(%n) : tensor<?x3xf32>
  %negative = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%high : tensor<?x3xf32>) outs(%negative_empty : tensor<?x3xf32>) {
  ^bb0(%in0: f32, %out0: f32):
    %s = arith.negf %in0 : f32
    linalg.yield %s : f32
  } -> tensor<?x3xf32>
  %turned = tensor.concat dim(1) %negative, %low : (tensor<?x3xf32>, tensor<?x3xf32>) -> tensor<?x6xf32>
  %r_empty = tensor.empty(%n) : tensor<?x6xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%x, %cosine, %turned, %sine : tensor<?x6xf32>, tensor<?x6xf32>, tensor<?x6xf32>, tensor<?x6xf32>) outs(%r_empty : tensor<?x6xf32>) {
  ^bb0(%in0: f32, %in1: f32, %in2: f32, %in3: f32, %out0: f32):
    %p = arith.mulf %in0, %in1 : f32
    %q = arith.mulf %in2, %in3 : f32
    %s = arith.addf %p, %q : f32
    linalg.yield %s : f32
  } -> tensor<?x6xf32>
  return %r : tensor<?x6xf32>
}
