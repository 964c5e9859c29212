// A maximum over all dimensions of a dynamic tensor; an empty one gives the start value.
func.func @main(%x: tensor<?x5xi32>) -> tensor<i32> {
  %start_value = arith.constant -100 : i32
  %start_empty = tensor.empty() : tensor<i32>
  %start = linalg.fill ins(%start_value : i32) outs(%start_empty : tensor<i32>) -> tensor<i32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> ()>], iterator_types = ["reduction", "reduction"]} ins(%x : tensor<?x5xi32>) outs(%start : tensor<i32>) {
  ^bb0(%in0: i32, %out0: i32):
    %s = arith.maxsi %in0, %out0 : i32
    linalg.yield %s : i32
  } -> tensor<i32>
  return %r : tensor<i32>
}
