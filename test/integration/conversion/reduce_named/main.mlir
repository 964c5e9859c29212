// reduce over two dimensions, in the short form and in the long form.
func.func @main(%x: tensor<3x7x5xf32>) -> (tensor<7xf32>, tensor<7xf32>) {
  %zero_value = arith.constant 0.0 : f32
  %zero_empty = tensor.empty() : tensor<7xf32>
  %zero = linalg.fill ins(%zero_value : f32) outs(%zero_empty : tensor<7xf32>) -> tensor<7xf32>
  %a = linalg.reduce { arith.addf } ins(%x : tensor<3x7x5xf32>) outs(%zero : tensor<7xf32>) dimensions = [0, 2]
  %b = linalg.reduce ins(%x : tensor<3x7x5xf32>) outs(%zero : tensor<7xf32>) dimensions = [0, 2]
    (%in: f32, %out: f32) {
      %p = arith.mulf %in, %in : f32
      %s = arith.addf %out, %p : f32
      linalg.yield %s : f32
    }
  return %a, %b : tensor<7xf32>, tensor<7xf32>
}
