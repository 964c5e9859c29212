// Unsigned maximum of windows of i8.
func.func @main(%x0: tensor<1x5x7x2xi8>, %x1: tensor<2x3xi8>) -> tensor<1x4x5x2xi8> {
  %start_value = arith.constant 0 : i8
  %start_empty = tensor.empty() : tensor<1x4x5x2xi8>
  %start = linalg.fill ins(%start_value : i8) outs(%start_empty : tensor<1x4x5x2xi8>) -> tensor<1x4x5x2xi8>
  %r = linalg.pooling_nhwc_max_unsigned {dilations = dense<[1, 1]> : tensor<2xi64>, strides = dense<[1, 1]> : tensor<2xi64>} ins(%x0, %x1 : tensor<1x5x7x2xi8>, tensor<2x3xi8>) outs(%start : tensor<1x4x5x2xi8>) -> tensor<1x4x5x2xi8>
  return %r : tensor<1x4x5x2xi8>
}
