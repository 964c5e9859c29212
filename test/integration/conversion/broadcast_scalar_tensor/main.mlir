// A 0-d input.
func.func @main(%x: tensor<7x5xi32>, %s: tensor<i32>) -> tensor<7x5xi32> {
  %r_empty = tensor.empty() : tensor<7x5xi32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> ()>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%x, %s : tensor<7x5xi32>, tensor<i32>) outs(%r_empty : tensor<7x5xi32>) {
  ^bb0(%in0: i32, %in1: i32, %out0: i32):
    %p = arith.muli %in0, %in1 : i32
    linalg.yield %p : i32
  } -> tensor<7x5xi32>
  return %r : tensor<7x5xi32>
}
