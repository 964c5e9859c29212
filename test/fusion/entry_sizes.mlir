// RUN: lw-opt %s --graph-fuse-ops | FileCheck %s

// The size of a tensor that the function computes is that of its argument: no op waits for the tensor because of its size.
// CHECK-LABEL: func.func @computed(
// CHECK-SAME: %[[X:[a-z0-9_]+]]: tensor<?x8xf32>
// CHECK: tensor.dim %[[X]], %{{.*}}
// CHECK: %[[Y:[0-9]+]] = linalg.exp ins(%[[X]]
// CHECK: %[[N:[a-z0-9_]+]] = tensor.dim %[[X]], %{{.*}}
// CHECK: tensor.empty(%[[N]])
// CHECK: linalg.exp ins(%[[Y]]
func.func @computed(%x: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x8xf32>
  %e = tensor.empty(%n) : tensor<?x8xf32>
  %y = linalg.exp ins(%x : tensor<?x8xf32>) outs(%e : tensor<?x8xf32>) -> tensor<?x8xf32>
  %m = tensor.dim %y, %c0 : tensor<?x8xf32>
  %o = tensor.empty(%m) : tensor<?x8xf32>
  %z = linalg.exp ins(%y : tensor<?x8xf32>) outs(%o : tensor<?x8xf32>) -> tensor<?x8xf32>
  return %z : tensor<?x8xf32>
}
