// Strategies for some sizes on a GPU: the branches are in one kernel.
// RUN: lw-run %s --target sm_80 --strategies %S/../Inputs/sizes_gpu.mlir --dump-strategy --print-schedule 2>&1 | FileCheck %s
// RUN: lw-run %s --target sm_80 --strategies %S/../Inputs/sizes_gpu.mlir --compile-to ptx | FileCheck %s --check-prefix=PTX
// RUN: lw-run %s --target sm_80 --strategies %S/../Inputs/sizes_gpu.mlir --verify-each numeric --compile-to schedule >%t.mlir

// CHECK-DAG: transform.sched.specialize "exp:i" in %f condition "4 >= dim(arg0, 0)"
// CHECK-DAG: transform.sched.bind "exp:j" in %f thread "threadIdx.x"
// CHECK-DAG: 60 few: chosen if 4 >= dim(arg0, 0)
// CHECK-DAG: 10 nvptx.elementwise: chosen for all other sizes
// PTX: .visible .entry main_0
func.func @main(%a: tensor<?x64xf32>) -> tensor<?x64xf32> {
  %c0 = arith.constant 0 : index
  %m = tensor.dim %a, %c0 : tensor<?x64xf32>
  %e = tensor.empty(%m) : tensor<?x64xf32>
  %1 = linalg.exp ins(%a : tensor<?x64xf32>) outs(%e : tensor<?x64xf32>) -> tensor<?x64xf32>
  return %1 : tensor<?x64xf32>
}
