// A logical and over all elements.
func.func @main(%x: tensor<7x5xi1>) -> tensor<7xi1> {
  %start_value = arith.constant true
  %start_empty = tensor.empty() : tensor<7xi1>
  %start = linalg.fill ins(%start_value : i1) outs(%start_empty : tensor<7xi1>) -> tensor<7xi1>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<7x5xi1>) outs(%start : tensor<7xi1>) {
  ^bb0(%in0: i1, %out0: i1):
    %v = arith.andi %out0, %in0 : i1
    linalg.yield %v : i1
  } -> tensor<7xi1>
  return %r : tensor<7xi1>
}
