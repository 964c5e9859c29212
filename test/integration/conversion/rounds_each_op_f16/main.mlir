// Every operation rounds to f16; one intermediate product overflows.
func.func @main(%x: tensor<13xf16>, %y: tensor<13xf16>) -> tensor<13xf16> {
  %r_empty = tensor.empty() : tensor<13xf16>
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x, %y : tensor<13xf16>, tensor<13xf16>) outs(%r_empty : tensor<13xf16>) {
  ^bb0(%in0: f16, %in1: f16, %out0: f16):
    %p = arith.mulf %in0, %in1 : f16
    %s = arith.addf %p, %in0 : f16
    %q = arith.divf %s, %in1 : f16
    linalg.yield %q : f16
  } -> tensor<13xf16>
  return %r : tensor<13xf16>
}
