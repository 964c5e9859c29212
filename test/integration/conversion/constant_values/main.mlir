// Constants of several types that are not splats are returned; one is given by its bytes.
func.func @main() -> (tensor<2x2xi64>, tensor<3xi1>, tensor<2x3xf16>, tensor<2xbf16>, tensor<3xi8>, tensor<2xf64>, tensor<0xi32>) {
  %a = arith.constant dense<[[1, -2], [9223372036854775807, 0]]> : tensor<2x2xi64>
  %b = arith.constant dense<[true, false, true]> : tensor<3xi1>
  %c = arith.constant dense<"0x003E00C00034007E0080FF7B"> : tensor<2x3xf16>
  %d = arith.constant dense<[1.5, 0xFF80]> : tensor<2xbf16>
  %e = arith.constant dense<[-128, 127, 1]> : tensor<3xi8>
  %f = arith.constant dense<[1.000000e-01, 0x7FF0000000000000]> : tensor<2xf64>
  %g = arith.constant dense<> : tensor<0xi32>
  return %a, %b, %c, %d, %e, %f, %g : tensor<2x2xi64>, tensor<3xi1>, tensor<2x3xf16>, tensor<2xbf16>, tensor<3xi8>, tensor<2xf64>, tensor<0xi32>
}
