// The printed default schedules of fusion groups are a script that applies them again. Two groups are equal.
// RUN: lw-run %s --target x86 --cpu haswell --print-schedule > s.mlir
// RUN: FileCheck %s < s.mlir
// RUN: lw-run %s --target x86 --cpu haswell --compile-to schedule > default.mlir
// RUN: lw-run %s --target x86 --cpu haswell --schedule s.mlir --compile-to schedule > again.mlir
// RUN: diff default.mlir again.mlir
// CHECK:      module attributes {loop.default_schedule = "cpu", transform.with_named_sequence}
// CHECK:      transform.sched.function @groups_matmul in
// CHECK:      transform.sched.function @groups_reduce in
// CHECK:      transform.sched.function @groups in

// Likewise for a GPU, where equal groups are one kernel.
// RUN: lw-run %s --target sm_80 --print-schedule > s.gpu.mlir
// RUN: FileCheck %s --check-prefix=GPU < s.gpu.mlir
// RUN: lw-run %s --target sm_80 --compile-to ptx > default.ptx
// RUN: lw-run %s --target sm_80 --schedule s.gpu.mlir --compile-to ptx > again.ptx
// RUN: diff default.ptx again.ptx
// RUN: FileCheck %s --check-prefix=PTX < again.ptx
// GPU:      module attributes {loop.default_schedule = "gpu", transform.with_named_sequence}
// GPU:      transform.sched.function @groups_matmul in
// PTX-COUNT-2: .entry
// PTX-NOT:  .entry

// A printed schedule of another target, of an unknown one, and of the version that named none.
// RUN: not lw-run %s --entry groups --target x86 --schedule s.gpu.mlir --input ones 2>&1 | FileCheck %s --check-prefix=OTHER
// OTHER: s.gpu.mlir:1:1: error: {{.*}}has default schedules for a gpu, but the module is lowered for a cpu: print those of this target (--print-schedule)
// RUN: not lw-run %s --entry groups --target sm_80 --schedule s.mlir --input ones 2>&1 | FileCheck %s --check-prefix=CPU
// CPU: s.mlir:1:1: error: {{.*}}has default schedules for a cpu, but the module is lowered for a gpu
// RUN: sed 's/= "gpu", transform/= "npu", transform/' s.gpu.mlir > unknown.mlir
// RUN: not lw-run %s --target sm_80 --schedule unknown.mlir --compile-to schedule 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: unknown.mlir:1:1: error: {{.*}}has the attribute loop.default_schedule = "npu", expected "cpu" or "gpu"
// RUN: sed 's/ = "gpu", transform/, transform/' s.gpu.mlir > none.mlir
// RUN: not lw-run %s --target sm_80 --schedule none.mlir --compile-to schedule 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: none.mlir:1:1: error: {{.*}}has the attribute loop.default_schedule = unit, expected "cpu" or "gpu"
func.func @groups(%a: tensor<32x32xf32>, %b: tensor<32x32xf32>) -> tensor<32xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<32x32xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<32x32xf32>) -> tensor<32x32xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<32x32xf32>, tensor<32x32xf32>) outs(%f : tensor<32x32xf32>) -> tensor<32x32xf32>
  %1 = linalg.matmul ins(%0, %b : tensor<32x32xf32>, tensor<32x32xf32>) outs(%f : tensor<32x32xf32>) -> tensor<32x32xf32>
  %e1 = tensor.empty() : tensor<32xf32>
  %f1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<32xf32>) -> tensor<32xf32>
  %2 = linalg.reduce { arith.addf } ins(%1 : tensor<32x32xf32>) outs(%f1 : tensor<32xf32>) dimensions = [1]
  return %2 : tensor<32xf32>
}
