// For compensate-signed-bytes: a product of signed bytes.
func.func @main(%a: tensor<65x4xi8>, %b: tensor<4x16xi8>) -> tensor<65x16xi32> {
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<65x16xi32>
  %z = linalg.fill ins(%zero : i32) outs(%e : tensor<65x16xi32>) -> tensor<65x16xi32>
  %r = linalg.matmul ins(%a, %b : tensor<65x4xi8>, tensor<4x16xi8>) outs(%z : tensor<65x16xi32>) -> tensor<65x16xi32>
  return %r : tensor<65x16xi32>
}
