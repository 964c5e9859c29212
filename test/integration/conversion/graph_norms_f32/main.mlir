// Layer and RMS norm of f32.
func.func @main(%x: tensor<?x2x6xf32>, %scale: tensor<2x6xf32>, %bias: tensor<2x6xf32>, %last: tensor<6xf32>) -> (tensor<?x2x6xf32>, tensor<?x2x6xf32>) {
  %r0 = graph.layer_norm %x, %scale, %bias epsilon = 1.0e-3 : tensor<?x2x6xf32>, tensor<2x6xf32>
  %r1 = graph.rms_norm %x, %last epsilon = 1.0e-3 : tensor<?x2x6xf32>, tensor<6xf32>
  return %r0, %r1 : tensor<?x2x6xf32>, tensor<?x2x6xf32>
}
