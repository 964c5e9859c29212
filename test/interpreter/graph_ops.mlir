// The semantics of graph ops, as linalg and as loops: all results equal those of NumPy to the last bit.
// RUN: lw-run %s --input %S/Inputs/x57.npy --input %S/Inputs/y57.npy --input %S/Inputs/w73.npy --input %S/Inputs/b3.npy --check %S/Inputs/turned35.npy --check %S/Inputs/sums51.npy --check %S/Inputs/most3.npy --check %S/Inputs/least.npy --rtol 0 --atol 0 --execute input | FileCheck %s
// RUN: lw-run %s --input %S/Inputs/x57.npy --input %S/Inputs/y57.npy --input %S/Inputs/w73.npy --input %S/Inputs/b3.npy --check %S/Inputs/turned35.npy --check %S/Inputs/sums51.npy --check %S/Inputs/most3.npy --check %S/Inputs/least.npy --rtol 0 --atol 0 --execute linalg | FileCheck %s
// RUN: lw-run %s --input %S/Inputs/x57.npy --input %S/Inputs/y57.npy --input %S/Inputs/w73.npy --input %S/Inputs/b3.npy --check %S/Inputs/turned35.npy --check %S/Inputs/sums51.npy --check %S/Inputs/most3.npy --check %S/Inputs/least.npy --rtol 0 --atol 0 | FileCheck %s
// CHECK: result 0: 3x5xf32, {{.*}}: passed
// CHECK: result 1: 5x1xf32, {{.*}}: passed
// CHECK: result 2: 3xf32, {{.*}}: passed
// CHECK: result 3: f32, {{.*}}: passed
func.func @main(%x: tensor<?x7xf32>, %y: tensor<?x7xf32>, %w: tensor<7x3xf32>, %b: tensor<3xf32>)
    -> (tensor<3x?xf32>, tensor<?x1xf32>, tensor<3xf32>, tensor<f32>) {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x7xf32>
  %d = graph.sub %x, %y : tensor<?x7xf32>
  %e = graph.exp %d : tensor<?x7xf32>
  %p = graph.mul %y, %x : tensor<?x7xf32>
  %l = graph.min %p, %x : tensor<?x7xf32>
  %h = graph.max %l, %y : tensor<?x7xf32>
  %q = graph.div %e, %h : tensor<?x7xf32>
  %z = graph.relu %q : tensor<?x7xf32>
  %m = graph.matmul %z, %w : tensor<?x7xf32>, tensor<7x3xf32> -> tensor<?x3xf32>
  %c = graph.broadcast %b dims = [1] sizes(%n) : tensor<3xf32> to tensor<?x3xf32>
  %a = graph.add %m, %c : tensor<?x3xf32>
  %g = graph.neg %a : tensor<?x3xf32>
  %t = graph.transpose %g perm = [1, 0] : tensor<?x3xf32> to tensor<3x?xf32>
  %s = graph.reduce add %a dims = [1] keep_dims : tensor<?x3xf32> -> tensor<?x1xf32>
  %most = graph.reduce max %a dims = [0] : tensor<?x3xf32> -> tensor<3xf32>
  %least = graph.reduce min %a dims = [0, 1] : tensor<?x3xf32> -> tensor<f32>
  return %t, %s, %most, %least : tensor<3x?xf32>, tensor<?x1xf32>, tensor<3xf32>, tensor<f32>
}
