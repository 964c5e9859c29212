// The printed default schedules of all functions are a script that applies them again.
// RUN: lw-run %s --target sm_80 --print-schedule > s.mlir
// RUN: FileCheck %s < s.mlir
// RUN: lw-run %s --target sm_80 --compile-to schedule > default.mlir
// RUN: lw-run %s --target sm_80 --schedule s.mlir --compile-to schedule > again.mlir
// RUN: diff default.mlir again.mlir
// CHECK:      %[[SUM:.*]] = transform.sched.function @sum in %{{.*}} version 1 hash
// CHECK:      transform.sched.bind {{.*}} in %[[SUM]] thread
// CHECK:      %[[TURN:.*]] = transform.sched.function @turn in %{{.*}} version 1 hash
// CHECK:      transform.sched.bind {{.*}} in %[[TURN]] thread
func.func @sum(%a: tensor<100xf32>, %b: tensor<100xf32>) -> tensor<100xf32> {
  %r = arith.addf %a, %b : tensor<100xf32>
  return %r : tensor<100xf32>
}

func.func @turn(%a: tensor<64x32xf32>) -> tensor<32x64xf32> {
  %e = tensor.empty() : tensor<32x64xf32>
  %r = linalg.transpose ins(%a : tensor<64x32xf32>) outs(%e : tensor<32x64xf32>) permutation = [1, 0]
  return %r : tensor<32x64xf32>
}
