// Rows without elements.
// RUN: lw-run %s --target sm_80 --device emulator --input iota | FileCheck %s
// CHECK: result 0: 65x0xf32
func.func @main(%x: tensor<65x0xf32>) -> tensor<65x0xf32> {
  %y = graph.softmax %x dim = 1 : tensor<65x0xf32>
  return %y : tensor<65x0xf32>
}
