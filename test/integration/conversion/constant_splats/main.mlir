// Splats of several types are returned.
func.func @main() -> (tensor<3xi64>, tensor<2x2xi1>, tensor<3xf16>, tensor<bf16>, tensor<2xf32>) {
  %a = arith.constant dense<-7> : tensor<3xi64>
  %b = arith.constant dense<true> : tensor<2x2xi1>
  %c = arith.constant dense<0x7C00> : tensor<3xf16>
  %d = arith.constant dense<-1.5> : tensor<bf16>
  %e = arith.constant dense<-0.0> : tensor<2xf32>
  return %a, %b, %c, %d, %e : tensor<3xi64>, tensor<2x2xi1>, tensor<3xf16>, tensor<bf16>, tensor<2xf32>
}
