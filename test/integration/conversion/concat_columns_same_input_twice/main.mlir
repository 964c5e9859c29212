// concat: an input and a result along columns, and one input concatenated with itself.
func.func @main(%x: tensor<7x3xf16>) -> (tensor<7x6xf16>, tensor<7x6xf16>) {
  %a_empty = tensor.empty() : tensor<7x3xf16>
  %a = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<7x3xf16>) outs(%a_empty : tensor<7x3xf16>) {
  ^bb0(%in0: f16, %out0: f16):
    %s = arith.negf %in0 : f16
    linalg.yield %s : f16
  } -> tensor<7x3xf16>
  %r = tensor.concat dim(1) %x, %a : (tensor<7x3xf16>, tensor<7x3xf16>) -> tensor<7x6xf16>
  %t = tensor.concat dim(1) %x, %x : (tensor<7x3xf16>, tensor<7x3xf16>) -> tensor<7x6xf16>
  return %r, %t : tensor<7x6xf16>, tensor<7x6xf16>
}
