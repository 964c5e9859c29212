// RUN: lw-opt %s --decompose-composite-ops --verify-diagnostics
func.func @dynamic(%w: tensor<?x3x3x5xf32>, %o: tensor<6x6x5x?xf32>) -> tensor<6x6x5x?xf32> {
  // expected-error @below {{'linalg.winograd_filter_transform' op has dynamic sizes, expected static ones}}
  %u = linalg.winograd_filter_transform fmr(F_4_3) ins(%w : tensor<?x3x3x5xf32>) outs(%o : tensor<6x6x5x?xf32>) -> tensor<6x6x5x?xf32>
  return %u : tensor<6x6x5x?xf32>
}
