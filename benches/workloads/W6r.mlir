// The sum of each row.
func.func @main(%x: tensor<4096x4096xf32>) -> tensor<4096xf32> {
  %zero = arith.constant 0.0 : f32
  %rows = tensor.empty() : tensor<4096xf32>
  %z = linalg.fill ins(%zero : f32) outs(%rows : tensor<4096xf32>) -> tensor<4096xf32>
  %sum = linalg.reduce { arith.addf } ins(%x : tensor<4096x4096xf32>) outs(%z : tensor<4096xf32>) dimensions = [1]
  return %sum : tensor<4096xf32>
}
