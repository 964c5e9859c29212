// Shifts of i32 by less than its width.
func.func @main(%x0: tensor<30xi32>, %x1: tensor<30xi32>) -> (tensor<30xi32>, tensor<30xi32>, tensor<30xi32>) {
  %r0_empty = tensor.empty() : tensor<30xi32>
  %r0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0, %x1 : tensor<30xi32>, tensor<30xi32>) outs(%r0_empty : tensor<30xi32>) {
  ^bb0(%in0: i32, %in1: i32, %out0: i32):
    %v = arith.shli %in0, %in1 : i32
    linalg.yield %v : i32
  } -> tensor<30xi32>
  %r1_empty = tensor.empty() : tensor<30xi32>
  %r1 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0, %x1 : tensor<30xi32>, tensor<30xi32>) outs(%r1_empty : tensor<30xi32>) {
  ^bb0(%in0: i32, %in1: i32, %out0: i32):
    %v = arith.shrsi %in0, %in1 : i32
    linalg.yield %v : i32
  } -> tensor<30xi32>
  %r2_empty = tensor.empty() : tensor<30xi32>
  %r2 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x0, %x1 : tensor<30xi32>, tensor<30xi32>) outs(%r2_empty : tensor<30xi32>) {
  ^bb0(%in0: i32, %in1: i32, %out0: i32):
    %v = arith.shrui %in0, %in1 : i32
    linalg.yield %v : i32
  } -> tensor<30xi32>
  return %r0, %r1, %r2 : tensor<30xi32>, tensor<30xi32>, tensor<30xi32>
}
