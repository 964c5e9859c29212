// Every operation rounds to bf16.
func.func @main(%x: tensor<?xbf16>, %y: tensor<?xbf16>) -> tensor<?xbf16> {
  %n_axis = arith.constant 0 : index
  %n = tensor.dim %x, %n_axis : tensor<?xbf16>
  %r_empty = tensor.empty(%n) : tensor<?xbf16>
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x, %y : tensor<?xbf16>, tensor<?xbf16>) outs(%r_empty : tensor<?xbf16>) {
  ^bb0(%in0: bf16, %in1: bf16, %out0: bf16):
    %p = arith.mulf %in0, %in1 : bf16
    %s = arith.addf %p, %in0 : bf16
    %q = arith.divf %s, %in1 : bf16
    linalg.yield %q : bf16
  } -> tensor<?xbf16>
  return %r : tensor<?xbf16>
}
