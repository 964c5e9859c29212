// The refusal of a step names the page with its conditions. A script for the loops of the module is in Inputs.
// RUN: not lw-run %s --schedule %S/Inputs/refused_step.schedule.mlir --compile-to schedule 2>&1 | FileCheck %s
// CHECK: error: 'loop.block' op split: there is no loop "k" around schedule block "add"{{.*}} (C1)
// CHECK-NEXT: note: in this step of the script: step 1
// CHECK-NEXT: note: docs/primitives.md#split has the conditions of split
// CHECK-NOT: {{.}}
func.func @main(%x: tensor<2x3xf32>, %y: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %z = graph.add %x, %y : tensor<2x3xf32>
  return %z : tensor<2x3xf32>
}
