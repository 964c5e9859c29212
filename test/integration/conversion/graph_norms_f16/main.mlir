// Layer and RMS norm of f16.
func.func @main(%x: tensor<?x2x6xf16>, %scale: tensor<2x6xf16>, %bias: tensor<2x6xf16>, %last: tensor<6xf16>) -> (tensor<?x2x6xf16>, tensor<?x2x6xf16>) {
  %r0 = graph.layer_norm %x, %scale, %bias epsilon = 1.0e-3 : tensor<?x2x6xf16>, tensor<2x6xf16>
  %r1 = graph.rms_norm %x, %last epsilon = 1.0e-3 : tensor<?x2x6xf16>, tensor<6xf16>
  return %r0, %r1 : tensor<?x2x6xf16>, tensor<?x2x6xf16>
}
