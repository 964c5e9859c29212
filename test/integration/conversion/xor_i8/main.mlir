// Bitwise exclusive or.
func.func @main(%x: tensor<7x5xi8>) -> tensor<7xi8> {
  %start_value = arith.constant 0 : i8
  %start_empty = tensor.empty() : tensor<7xi8>
  %start = linalg.fill ins(%start_value : i8) outs(%start_empty : tensor<7xi8>) -> tensor<7xi8>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<7x5xi8>) outs(%start : tensor<7xi8>) {
  ^bb0(%in0: i8, %out0: i8):
    %v = arith.xori %out0, %in0 : i8
    linalg.yield %v : i8
  } -> tensor<7xi8>
  return %r : tensor<7xi8>
}
