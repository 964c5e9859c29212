// matmul that zero-extends i8.
func.func @main(%x0: tensor<7x5xi8>, %x1: tensor<5x3xi8>) -> tensor<7x3xi32> {
  %start_value = arith.constant 0 : i32
  %start_empty = tensor.empty() : tensor<7x3xi32>
  %start = linalg.fill ins(%start_value : i32) outs(%start_empty : tensor<7x3xi32>) -> tensor<7x3xi32>
  %r = linalg.matmul {cast = #linalg.type_fn<cast_unsigned>} ins(%x0, %x1 : tensor<7x5xi8>, tensor<5x3xi8>) outs(%start : tensor<7x3xi32>) -> tensor<7x3xi32>
  return %r : tensor<7x3xi32>
}
