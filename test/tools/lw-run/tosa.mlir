// Models as TOSA, which is first converted to linalg: on the interpreter, the CPU of this machine and the GPU emulator.
// RUN: lw-run %S/../../models/sub_mul.tosa.mlir --input %S/../../models/sub_mul.in0.npy --input %S/../../models/sub_mul.in1.npy --check %S/../../models/sub_mul.out.npy | FileCheck %s
// RUN: lw-run %S/../../models/sub_mul.tosa.mlir --target sm_80 --device emulator --input %S/../../models/sub_mul.in0.npy --input %S/../../models/sub_mul.in1.npy --check %S/../../models/sub_mul.out.npy | FileCheck %s
// RUN: lw-run %S/../../models/mlp.tosa.mlir --target x86 --input %S/../../models/mlp.in0.npy --check %S/../../models/mlp.out.npy | FileCheck %s
// RUN: lw-run %S/../../models/mlp.tosa.mlir --target sm_90a --device emulator --input %S/../../models/mlp.in0.npy --check %S/../../models/mlp.out.npy | FileCheck %s
// RUN: lw-run %S/../../models/convnet.tosa.mlir --target x86 --input %S/../../models/convnet.in0.npy --check %S/../../models/convnet.out.npy | FileCheck %s
// RUN: lw-run %S/../../models/convnet.tosa.mlir --target sm_80 --device emulator --input %S/../../models/convnet.in0.npy --check %S/../../models/convnet.out.npy | FileCheck %s
// RUN: lw-run %S/../../models/attention.tosa.mlir --target x86 --input %S/../../models/attention.in0.npy --check %S/../../models/attention.out.npy | FileCheck %s
// RUN: lw-run %S/../../models/attention.tosa.mlir --target sm_90a --device emulator --input %S/../../models/attention.in0.npy --check %S/../../models/attention.out.npy | FileCheck %s
// CHECK: passed

// RUN: lw-run %S/../../models/sub_mul.tosa.mlir --compile-to linalg | FileCheck %s --check-prefix=LINALG
// LINALG-NOT:       tosa.
// LINALG-COUNT-2:   linalg.generic
// LINALG-NOT:       tosa.

// Ops that upstream does not convert are named.
// RUN: not lw-run %s --compile-to loop 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: tosa.mlir:[[#@LINE+2]]:8: error: {{.*}}'tosa.{{.*}}'
func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
  %y = tosa.custom %x {domain_name = "d", operator_name = "o", implementation_attrs = ""} : (tensor<8xf32>) -> tensor<8xf32>
  return %y : tensor<8xf32>
}

// Control flow and scatters.
// RUN: lw-run %S/Inputs/tosa_control_flow.mlir --entry expected --output %t.loop.npy --output %t.branch.npy --output %t.scatter.npy
// RUN: lw-run %S/Inputs/tosa_control_flow.mlir --entry main --execute linalg --check %t.loop.npy --check %t.branch.npy --check %t.scatter.npy | FileCheck %s --check-prefix=FLOW
// RUN: lw-run %S/Inputs/tosa_control_flow.mlir --entry main --target x86 --check %t.loop.npy --check %t.branch.npy --check %t.scatter.npy | FileCheck %s --check-prefix=FLOW
// FLOW-COUNT-3: max error 0{{.*}}passed
