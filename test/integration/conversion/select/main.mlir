// arith.select by a tensor of i1, by a comparison, and between i1 values.
func.func @main(%c: tensor<7x5xi1>, %x: tensor<7x5xf32>, %y: tensor<7x5xf32>) -> (tensor<7x5xf32>, tensor<7x5xf32>, tensor<7x5xi1>) {
  %a_empty = tensor.empty() : tensor<7x5xf32>
  %a = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%c, %x, %y : tensor<7x5xi1>, tensor<7x5xf32>, tensor<7x5xf32>) outs(%a_empty : tensor<7x5xf32>) {
  ^bb0(%in0: i1, %in1: f32, %in2: f32, %out0: f32):
    %s = arith.select %in0, %in1, %in2 : f32
    linalg.yield %s : f32
  } -> tensor<7x5xf32>
  %b_empty = tensor.empty() : tensor<7x5xf32>
  %b = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%x, %y : tensor<7x5xf32>, tensor<7x5xf32>) outs(%b_empty : tensor<7x5xf32>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32):
    %l = arith.cmpf ult, %in0, %in1 : f32
    %s = arith.select %l, %in0, %in1 : f32
    linalg.yield %s : f32
  } -> tensor<7x5xf32>
  %d_empty = tensor.empty() : tensor<7x5xi1>
  %d = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%c, %x : tensor<7x5xi1>, tensor<7x5xf32>) outs(%d_empty : tensor<7x5xi1>) {
  ^bb0(%in0: i1, %in1: f32, %out0: i1):
    %true = arith.constant true
    %zero = arith.constant 0.0 : f32
    %p = arith.cmpf ogt, %in1, %zero : f32
    %s = arith.select %in0, %p, %true : i1
    linalg.yield %s : i1
  } -> tensor<7x5xi1>
  return %a, %b, %d : tensor<7x5xf32>, tensor<7x5xf32>, tensor<7x5xi1>
}
