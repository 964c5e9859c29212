// Comparison of two schedules: exit code 0 if they are equal, 1 if they differ, 2 if they cannot be compared.

// The same schedule in two spellings.
// RUN: lw-opt --sched-convert=json %s -o %t.json
// RUN: lw-opt --sched-diff %s %t.json | count 0
// RUN: lw-opt --sched-diff %s %t.json %S/Inputs/matmul.mlir | count 0

// Different steps.
// RUN: not lw-opt --sched-diff %s %S/Inputs/order.json | FileCheck %s --check-prefix=STEPS

// Different results.
// RUN: sed 's/4]/8]/' %s > %t.eight.mlir
// RUN: not lw-opt --sched-diff %s %t.eight.mlir %S/Inputs/matmul.mlir | FileCheck %s --check-prefix=RESULTS

// Different steps with the same result.
// RUN: lw-opt --sched-minimize=%S/Inputs/order.json %S/Inputs/matmul.mlir -o %t.fewer.json
// RUN: not lw-opt --sched-diff %S/Inputs/order.json %t.fewer.json > %t.fewer.txt
// RUN: lw-opt --sched-diff %S/Inputs/order.json %t.fewer.json %S/Inputs/matmul.mlir \
// RUN:   | FileCheck %s --check-prefix=SAME

// Errors.
// RUN: bash -c 'lw-opt --sched-diff %s %t.none.json; [ $? = 2 ]' 2>&1 | FileCheck %s --check-prefix=ABSENT
// RUN: bash -c 'lw-opt --sched-diff %s %S/Inputs/gone.json %S/Inputs/matmul.mlir; [ $? = 2 ]' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=GONE
// RUN: not lw-opt --sched-diff %s 2>&1 | FileCheck %s --check-prefix=FEW

// STEPS: {{^}}+ 1: reorder ["C:k", "C:j"]
// STEPS-NEXT: {{^}}- 2: vectorize "C:j" factor 4
// STEPS-NEXT: {{^}}+ 3: reorder ["C:j", "C:k"]
// STEPS-NEXT: {{^}}+ 4: unroll "C:i.1"
// STEPS-NOT: {{.}}
// RESULTS: {{^}}! 1 -> 1: split "C:i" factors [-1, 4] -> [-1, 8]
// RESULTS-NEXT: the results differ from line [[#]] on:
// RESULTS-NEXT: {{^}}- {{.*}} ceildiv 4
// RESULTS-NEXT: {{^}}+ {{.*}} ceildiv 8
// SAME: {{^}}- 1: reorder ["C:k", "C:j"]
// SAME-NEXT: {{^}}- 3: reorder ["C:j", "C:k"]
// SAME-NEXT: the results are the same
// ABSENT: none.json:0:0: error: cannot be read
// GONE: error: {{.*}}"C:j" was removed by step 1
// FEW: lw-opt: error: --sched-diff takes two traces and, if given, a module, found 1 files
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op) {
    %f = transform.sched.function @matmul in %module version 1
    transform.sched.split "C:i" in %f factors [-1, 4]
    transform.sched.vectorize "C:j" in %f factor 4
    transform.yield
  }
}
