// RUN: lw-run %s --input random:1 --input random:2 --output %t.npy
// RUN: lw-run %s --input random:1 --input random:2 --schedule %S/Inputs/vthread_outside.schedule.mlir \
// RUN:   --check %t.npy | FileCheck %s
// RUN: lw-run %s --input random:1 --input random:2 --schedule %S/Inputs/vthread_outside.schedule.mlir --target sm_80 --device emulator \
// RUN:   --check %t.npy | FileCheck %s
// RUN: lw-run %s --input random:1 --input random:2 --schedule %S/Inputs/vthread_outside.schedule.mlir --target sm_80 --device emulator --without lower-vthread \
// RUN:   --check %t.npy | FileCheck %s
// RUN: lw-run %s --input random:1 --input random:2 --schedule %S/Inputs/vthread_inside.schedule.mlir \
// RUN:   --check %t.npy | FileCheck %s
// RUN: lw-run %s --input random:1 --input random:2 --schedule %S/Inputs/vthread_inside.schedule.mlir --target sm_80 --device emulator \
// RUN:   --check %t.npy | FileCheck %s
// RUN: lw-run %s --input random:1 --input random:2 --schedule %S/Inputs/vthread_inside.schedule.mlir --target sm_80 --device emulator --without lower-vthread \
// RUN:   --check %t.npy | FileCheck %s

// Two loops of virtual threads: the results are those of the matrix product on all executors, interleaved or not.
// CHECK: passed
func.func @main(%A: tensor<32x32xf32>, %B: tensor<32x32xf32>) -> tensor<32x32xf32>
    attributes {loop.fp = "fast"} {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<32x32xf32>
  %start = linalg.fill ins(%zero : f32) outs(%empty : tensor<32x32xf32>) -> tensor<32x32xf32>
  %C = linalg.matmul ins(%A, %B : tensor<32x32xf32>, tensor<32x32xf32>)
                     outs(%start : tensor<32x32xf32>) -> tensor<32x32xf32>
  return %C : tensor<32x32xf32>
}
