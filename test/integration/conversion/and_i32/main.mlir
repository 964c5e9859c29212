// Bitwise and.
func.func @main(%x: tensor<7x5xi32>) -> tensor<7xi32> {
  %start_value = arith.constant -1 : i32
  %start_empty = tensor.empty() : tensor<7xi32>
  %start = linalg.fill ins(%start_value : i32) outs(%start_empty : tensor<7xi32>) -> tensor<7xi32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<7x5xi32>) outs(%start : tensor<7xi32>) {
  ^bb0(%in0: i32, %out0: i32):
    %v = arith.andi %out0, %in0 : i32
    linalg.yield %v : i32
  } -> tensor<7xi32>
  return %r : tensor<7xi32>
}
