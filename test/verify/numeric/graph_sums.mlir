// A graph op may be a sum. With a contract other than strict, the result of the whole pipeline may differ from it by the error of
// a sum.
// RUN: lw-opt %s --verify-each=numeric --convert-graph-to-linalg --convert-linalg-to-loop --convert-loop-to-scf --promote-buffers --canonicalize --form-fma | FileCheck %s

// CHECK: math.fma
func.func @main(%x: tensor<2x3x10x10xf32>, %w: tensor<2x3x3x3xf32>) -> tensor<2x2x8x8xf32> attributes {loop.fp = "fast"} {
  %y = graph.conv channels_first %x, %w strides = [1, 1] dilations = [1, 1] low = [0, 0] high = [0, 0] groups = 1 : tensor<2x3x10x10xf32>, tensor<2x3x3x3xf32> -> tensor<2x2x8x8xf32>
  return %y : tensor<2x2x8x8xf32>
}
