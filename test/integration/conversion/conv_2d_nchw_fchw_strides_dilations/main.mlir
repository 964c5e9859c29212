// Convolution with strides and dilations that differ, onto an argument.
func.func @main(%x0: tensor<1x2x7x11xf32>, %x1: tensor<3x2x2x3xf32>, %start: tensor<1x3x2x3xf32>) -> tensor<1x3x2x3xf32> {
  %r = linalg.conv_2d_nchw_fchw {dilations = dense<[3, 2]> : tensor<2xi64>, strides = dense<[2, 3]> : tensor<2xi64>} ins(%x0, %x1 : tensor<1x2x7x11xf32>, tensor<3x2x2x3xf32>) outs(%start : tensor<1x3x2x3xf32>) -> tensor<1x3x2x3xf32>
  return %r : tensor<1x3x2x3xf32>
}
