// Integers of 2, 4 and 12 bits in calls, constants, padding and as scalars.
func.func private @twice(%x: tensor<?xi4>, %by: i4) -> tensor<?xi4> {
  %n_axis = arith.constant 0 : index
  %n = tensor.dim %x, %n_axis : tensor<?xi4>
  %r_empty = tensor.empty(%n) : tensor<?xi4>
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x, %by : tensor<?xi4>, i4) outs(%r_empty : tensor<?xi4>) {
  ^bb0(%in0: i4, %in1: i4, %out0: i4):
    %v = arith.muli %in0, %in1 : i4
    linalg.yield %v : i4
  } -> tensor<?xi4>
  return %r : tensor<?xi4>
}
func.func @main(%x: tensor<?xi4>, %y: tensor<?xi2>, %z: tensor<?xi12>) -> (tensor<?xi4>, tensor<?xi8>, tensor<?xi12>, tensor<?xi4>, i4, tensor<?xi4>) {
  %n_axis = arith.constant 0 : index
  %n = tensor.dim %x, %n_axis : tensor<?xi4>
  %two = arith.constant 2 : i4
  %a = func.call @twice(%x, %two) : (tensor<?xi4>, i4) -> tensor<?xi4>
  %b = arith.extui %y : tensor<?xi2> to tensor<?xi8>
  %c = arith.shrui %z, %z : tensor<?xi12>
  %list = arith.constant dense<[-8, -1, 7]> : tensor<3xi4>
  %d_empty = tensor.empty(%n) : tensor<?xi4>
  %d = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x : tensor<?xi4>) outs(%d_empty : tensor<?xi4>) {
  ^bb0(%in0: i4, %out0: i4):
    %three = arith.constant 3 : index
    %i = linalg.index 0 : index
    %j = arith.remui %i, %three : index
    %e = tensor.extract %list[%j] : tensor<3xi4>
    %v = arith.addi %e, %in0 : i4
    linalg.yield %v : i4
  } -> tensor<?xi4>
  %c0 = arith.constant 0 : index
  %first = tensor.extract %x[%c0] : tensor<?xi4>
  %l = arith.divui %first, %two : i4
  %p = tensor.pad %x low[1] high[2] {
  ^bb0(%at: index):
    tensor.yield %first : i4
  } : tensor<?xi4> to tensor<?xi4>
  return %a, %b, %c, %d, %l, %p : tensor<?xi4>, tensor<?xi8>, tensor<?xi12>, tensor<?xi4>, i4, tensor<?xi4>
}
