// If there may be a single row, threads share its columns, too.
// RUN: lw-run %s --target x86 --cpu x86-64-v4 --fp fast --print-schedule | FileCheck %s

// CHECK: transform.sched.fuse ["contract.else.else:i", "contract.else.else:j.0"]
// CHECK: transform.sched.parallel "contract.else.else:i_j.0_fused"
func.func @main(%x: tensor<?x1024xf32>, %w: tensor<1024x1024xf32>) -> tensor<?x1024xf32> {
  %y = graph.matmul %x, %w : tensor<?x1024xf32>, tensor<1024x1024xf32> -> tensor<?x1024xf32>
  return %y : tensor<?x1024xf32>
}
