// map, in the short form and in the long form.
func.func @main(%x: tensor<7x5xf32>, %y: tensor<7x5xf32>) -> (tensor<7x5xf32>, tensor<7x5xi1>, tensor<7x5xf32>) {
  %e = tensor.empty() : tensor<7x5xf32>
  %f = tensor.empty() : tensor<7x5xi1>
  %c = linalg.map { arith.subf } ins(%x, %y : tensor<7x5xf32>, tensor<7x5xf32>) outs(%e : tensor<7x5xf32>)
  %a = linalg.map ins(%x, %y : tensor<7x5xf32>, tensor<7x5xf32>) outs(%e : tensor<7x5xf32>)
    (%in0: f32, %in1: f32, %out: f32) {
      %p = arith.mulf %in0, %in1 : f32
      %s = arith.subf %p, %in0 : f32
      linalg.yield %s : f32
    }
  %b = linalg.map ins(%x, %y : tensor<7x5xf32>, tensor<7x5xf32>) outs(%f : tensor<7x5xi1>)
    (%in0: f32, %in1: f32, %out: i1) {
      %l = arith.cmpf ole, %in0, %in1 : f32
      linalg.yield %l : i1
    }
  return %a, %b, %c : tensor<7x5xf32>, tensor<7x5xi1>, tensor<7x5xf32>
}
