// reduce of two inputs of different types into two results.
func.func @main(%x: tensor<7x5xf32>, %y: tensor<7x5xi32>) -> (tensor<7xf32>, tensor<7xi32>) {
  %zero_value = arith.constant 0.0 : f32
  %zero_empty = tensor.empty() : tensor<7xf32>
  %zero = linalg.fill ins(%zero_value : f32) outs(%zero_empty : tensor<7xf32>) -> tensor<7xf32>
  %one_value = arith.constant 1 : i32
  %one_empty = tensor.empty() : tensor<7xi32>
  %one = linalg.fill ins(%one_value : i32) outs(%one_empty : tensor<7xi32>) -> tensor<7xi32>
  %a, %b = linalg.reduce ins(%x, %y : tensor<7x5xf32>, tensor<7x5xi32>)
    outs(%zero, %one : tensor<7xf32>, tensor<7xi32>) dimensions = [1]
    (%in0: f32, %in1: i32, %out0: f32, %out1: i32) {
      %s = arith.addf %out0, %in0 : f32
      %p = arith.muli %out1, %in1 : i32
      linalg.yield %s, %p : f32, i32
    }
  return %a, %b : tensor<7xf32>, tensor<7xi32>
}
