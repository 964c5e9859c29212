// The plugin does nothing in a program that has this package already, and nothing if it is loaded twice.
// RUN: lw-opt %s --load-dialect-plugin=%{plugin} --load-pass-plugin=%{plugin} --convert-graph-to-linalg | FileCheck %s
// RUN: mlir-opt %s --load-dialect-plugin=%{plugin} --load-dialect-plugin=%{plugin} --load-pass-plugin=%{plugin} \
// RUN:   --load-pass-plugin=%{plugin} --pass-pipeline='builtin.module(func.func(convert-graph-to-linalg))' | FileCheck %s
// CHECK: math.exp
func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
  %e = graph.exp %x : tensor<8xf32>
  return %e : tensor<8xf32>
}
