// Prints the trace of all steps of a run, whatever executed them: a script with handles becomes a plain trace.

// RUN: lw-opt %s --transform-interpreter --sched-unroll=loop=B:i.1.0 --sched-print-trace=json -o %t.mlir > %t.json
// RUN: FileCheck %s --check-prefix=JSON --input-file=%t.json
// RUN: FileCheck %s --check-prefix=MODULE --input-file=%t.mlir
// RUN: lw-opt %s --sched-apply=%t.json | diff %t.mlir -
// RUN: lw-opt %s --sched-apply=%t.json --sched-print-trace=script | FileCheck %s --check-prefix=SCRIPT

// Other passes between the steps do not matter if they do not change the function.
// RUN: lw-opt %s --sched-split='loop=B:i factors=2,4' --convert-linalg-to-loop --sched-unroll=loop=B:i.0 \
// RUN:   --sched-print-trace=json | FileCheck %s --check-prefix=ONE

// Refusals.
// RUN: not lw-opt %s --sched-print-trace=json 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not lw-opt %s --sched-print-trace 2>&1 | FileCheck %s --check-prefix=WORD
// RUN: not lw-opt %s --sched-unroll=loop=B:i --sched-unroll=loop=C:i --sched-print-trace=json 2>&1 \
// RUN:   | FileCheck %s --check-prefix=TWO

// The first alternative is rolled back.
// JSON: "function": "main",
// JSON: "steps": [
// JSON-NEXT: {"primitive": "split", "loop": "B:i", "factors": [2, -1]},
// JSON-NEXT: {"primitive": "split", "loop": "B:i.1", "factors": [2, 2]},
// JSON-NEXT: {"primitive": "unroll", "loop": "B:i.0"},
// JSON-NEXT: {"primitive": "unroll", "loop": "B:i.1.0"}
// JSON-NEXT: ]
// MODULE: loop.for unroll %i.0 in 2
// MODULE-NEXT: loop.for unroll %i.1.0 in 2
// SCRIPT: transform.sched.unroll "B:i.1.0" in %f
// ONE: "steps": [
// ONE-NEXT: {"primitive": "split", "loop": "B:i", "factors": [2, 4]},
// ONE-NEXT: {"primitive": "unroll", "loop": "B:i.0"}
// NONE: lw-opt: error: a trace is of one function, but steps were applied in none
// WORD: lw-opt: error: found '' for --sched-print-trace, expected one of script, json, rust
// TWO: lw-opt: error: a trace is of one function, but steps were applied in @main, @other
module {
  func.func @main() {
    loop.for serial %i in 8 { loop.block "B" [%v: spatial 8] = (%i) {} }
    return
  }
  func.func @other() {
    loop.for serial %i in 8 { loop.block "C" [%v: spatial 8] = (%i) {} }
    return
  }
  module attributes {transform.with_named_sequence} {
    transform.named_sequence @__transform_main(%m: !transform.any_op) {
      transform.sched.split "B:i" in %m factors [2, -1]
      %f = transform.structured.match ops{["func.func"]} attributes {sym_name = "main"} in %m
          : (!transform.any_op) -> !transform.any_op
      transform.alternatives %f : !transform.any_op {
      ^bb0(%g: !transform.any_op):
        transform.sched.split "B:i.1" in %g factors [4, 1]
        transform.sched.unroll "B:gone" in %g
      }, {
      ^bb0(%g: !transform.any_op):
        transform.sched.split "B:i.1" in %g factors [2, 2]
      }
      %i = transform.structured.match ops{["loop.for"]} attributes {name = "i.0"} in %m
          : (!transform.any_op) -> !transform.any_op
      transform.sched.unroll %i
      transform.yield
    }
  }
}
