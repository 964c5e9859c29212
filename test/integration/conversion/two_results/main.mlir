// A generic with two results of different types and maps.
func.func @main(%x: tensor<7x5xf32>, %y: tensor<7x5xf32>) -> (tensor<7x5xf32>, tensor<5x7xi1>) {
  %a = tensor.empty() : tensor<7x5xf32>
  %b = tensor.empty() : tensor<5x7xi1>
  %sum, %less = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j, i)>], iterator_types = ["parallel", "parallel"]} ins(%x, %y : tensor<7x5xf32>, tensor<7x5xf32>) outs(%a, %b : tensor<7x5xf32>, tensor<5x7xi1>) {
  ^bb0(%in0: f32, %in1: f32, %out0: f32, %out1: i1):
    %s = arith.addf %in0, %in1 : f32
    %l = arith.cmpf olt, %in0, %in1 : f32
    linalg.yield %s, %l : f32, i1
  } -> (tensor<7x5xf32>, tensor<5x7xi1>)
  return %sum, %less : tensor<7x5xf32>, tensor<5x7xi1>
}
