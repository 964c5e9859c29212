// Each step is checked by the interpreter; the first that changes the results of the function is named.

// RUN: lw-opt %S/Inputs/matmul.mlir --sched-verify --sched-split='loop=C:j factors=-1,4' | FileCheck %s --check-prefix=GOOD
// RUN: lw-opt --sched-convert=json %s -o %t.json

// An order of stores that the user assumes to be irrelevant: as a pass, in a trace, in a script.
// RUN: not lw-opt %S/Inputs/scatter.mlir --sched-verify --sched-split='loop=S:i factors=-1,4' \
// RUN:   --sched-reorder='loops=S:i.1,S:i.0 proof=assume' 2>&1 | FileCheck %s --check-prefix=PASS
// RUN: not lw-opt %S/Inputs/scatter.mlir --sched-verify --sched-apply=%t.json 2>&1 | FileCheck %s --check-prefixes=STEP,TRACE
// RUN: not lw-opt %S/Inputs/scatter.mlir --sched-verify --transform-preload-library=transform-library-paths=%s \
// RUN:   --transform-interpreter 2>&1 | FileCheck %s --check-prefixes=STEP,SCRIPT
// Without the option, it passes.
// RUN: lw-opt %S/Inputs/scatter.mlir --sched-apply=%t.json | FileCheck %s --check-prefix=UNASKED
// A sum in another order, which the contract permits: within the bound.
// RUN: sed 's/%C: memref<?x?xf32>)/& attributes {loop.fp = "reassoc"}/' %S/Inputs/matmul.mlir > %t.reassoc.mlir
// RUN: lw-opt %t.reassoc.mlir --sched-verify --sched-split='loop=C:k factors=-1,4' \
// RUN:   --sched-reorder=loops=C:k.1,C:k.0 --sched-unroll=loop=C:k.1 | FileCheck %s --check-prefix=FREE

// If the interpreter cannot run a function, this is reported.
// RUN: sed 's/%C: memref<?x?xf32>)/%C: memref<?x?xf32>, %u: f32)/' %S/Inputs/matmul.mlir > %t.other.mlir
// RUN: not lw-opt %t.other.mlir --sched-verify --sched-unroll=loop=C:i 2>&1 | FileCheck %s --check-prefix=UNKNOWN

// GOOD: loop.for serial %j.1 in 4
// PASS: error: 'func.func' op reorder: step 1, transform.sched.reorder ["S:i.1", "S:i.0"] in %f proof "assume", changes what the function computes: "arg2" is {{.*}} at [0], expected {{.*}}; sizes arg0 5, arg1 5, arg2 1, values distinct whole numbers
// UNASKED: loop.for unroll %i.1 in 4
// STEP: error: 'func.func' op reorder: step 2, transform.sched.reorder {{.*}} changes what the function computes: "arg2" is
// TRACE: json:6:5: note: in step 2 of the trace
// SCRIPT: sched_verify.mlir:[[#]]:5: note: in this step of the script: step 2
// FREE: loop.for unroll %k.1 in 4
// UNKNOWN: error: 'func.func' op cannot be verified: argument 3 has the type f32
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op) {
    %f = transform.sched.function @scatter in %module version 1
    transform.sched.split "S:i" in %f factors [-1, 4]
    transform.sched.reorder ["S:i.1", "S:i.0"] in %f proof "assume"
    transform.sched.unroll "S:i.1" in %f
    transform.yield
  }
}
