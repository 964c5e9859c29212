// Tensors of indices are values of groups as others are.
// RUN: lw-run %s --input iota --target x86 | FileCheck %s
// RUN: lw-run %s --input iota --target sm_80 --device emulator | FileCheck %s
// CHECK: result 0: 4xi64 = [0, 2, 4, 6]
// CHECK: result 1: 4xf32 = [0.0, 1.0, 4.0, 9.0]
#same = affine_map<(i) -> (i)>
func.func @main(%x: tensor<4xf32>) -> (tensor<4xindex>, tensor<4xf32>) {
  %e = tensor.empty() : tensor<4xindex>
  %f = tensor.empty() : tensor<4xf32>
  %places = linalg.generic {indexing_maps = [#same], iterator_types = ["parallel"]} outs(%e : tensor<4xindex>) {
  ^bb0(%o: index):
    %i = linalg.index 0 : index
    %twice = arith.addi %i, %i : index
    linalg.yield %twice : index
  } -> tensor<4xindex>
  %r = linalg.square ins(%x : tensor<4xf32>) outs(%f : tensor<4xf32>) -> tensor<4xf32>
  return %places, %r : tensor<4xindex>, tensor<4xf32>
}
