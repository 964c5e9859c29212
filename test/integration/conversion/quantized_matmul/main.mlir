// matmul of i8 minus the zero points, which are scalars.
func.func @main(%a: tensor<7x5xi8>, %b: tensor<5x3xi8>, %za: i32, %zb: i32) -> tensor<7x3xi32> {
  %zero_value = arith.constant 0 : i32
  %zero_empty = tensor.empty() : tensor<7x3xi32>
  %zero = linalg.fill ins(%zero_value : i32) outs(%zero_empty : tensor<7x3xi32>) -> tensor<7x3xi32>
  %c = linalg.quantized_matmul ins(%a, %b, %za, %zb : tensor<7x5xi8>, tensor<5x3xi8>, i32, i32) outs(%zero : tensor<7x3xi32>) -> tensor<7x3xi32>
  return %c : tensor<7x3xi32>
}
