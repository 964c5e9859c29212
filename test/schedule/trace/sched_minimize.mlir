// Removes steps without effect; the remaining steps give the same result.

// RUN: lw-opt --sched-minimize=%S/Inputs/order.json %S/Inputs/matmul.mlir -o %t.json
// RUN: FileCheck %s --check-prefix=JSON --input-file=%t.json
// RUN: lw-opt %S/Inputs/matmul.mlir --sched-apply=%S/Inputs/order.json -o %t.all.mlir
// RUN: lw-opt %S/Inputs/matmul.mlir --sched-apply=%t.json -o %t.fewer.mlir
// RUN: diff %t.all.mlir %t.fewer.mlir
// RUN: lw-opt --sched-minimize=%t.json %S/Inputs/matmul.mlir | diff %t.json -
// A script stays a script.
// RUN: lw-opt --sched-minimize=%s %S/Inputs/matmul.mlir | FileCheck %s --check-prefix=SCRIPT

// Refusals.
// RUN: not lw-opt --sched-minimize=%S/Inputs/gone.json %S/Inputs/matmul.mlir 2>&1 | FileCheck %s --check-prefix=GONE
// RUN: not lw-opt --sched-minimize=%t.none.json %S/Inputs/matmul.mlir 2>&1 | FileCheck %s --check-prefix=NO-TRACE
// RUN: not lw-opt --sched-minimize=%t.json %t.none.mlir 2>&1 | FileCheck %s --check-prefix=NO-MODULE
// RUN: not lw-opt --sched-minimize=%t.json 2>&1 | FileCheck %s --check-prefix=FEW
// RUN: not lw-opt --sched-minimize %t.json %S/Inputs/matmul.mlir 2>&1 | FileCheck %s --check-prefix=NO-VALUE
// RUN: not lw-opt --sched-minimize=%t.json %S/Inputs/matmul.mlir --cse 2>&1 | FileCheck %s --check-prefix=BESIDE

// JSON: "steps": [
// JSON-NEXT: {"primitive": "split", "loop": "C:i", "factors": [-1, 4]},
// JSON-NEXT: {"primitive": "unroll", "loop": "C:i.1"}
// JSON-NEXT: ]
// SCRIPT: %f = transform.sched.function @matmul in %module version 1
// SCRIPT-NEXT: transform.sched.split "C:i" in %f factors [-1, 4]
// SCRIPT-NEXT: transform.yield
// GONE: matmul.mlir:{{[0-9:]+}}: error: {{.*}}"C:j" was removed by step 1
// GONE: gone.json:3:3: note: in step 2 of the trace
// NO-TRACE: none.json:0:0: error: cannot be read: No such file
// NO-MODULE: error: {{.*}}none.mlir
// FEW: lw-opt: error: --sched-minimize takes a trace and a module, found 1 files
// NO-VALUE: lw-opt: error: --sched-minimize has no value
// BESIDE: lw-opt: error: --cse has no effect with --sched-minimize
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op) {
    %f = transform.sched.function @matmul in %module version 1
    transform.sched.reorder ["C:k", "C:j"] in %f
    transform.sched.split "C:i" in %f factors [-1, 4]
    transform.sched.reorder ["C:j", "C:k"] in %f
    transform.yield
  }
}
