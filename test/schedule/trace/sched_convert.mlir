// RUN: lw-opt --sched-convert=json %s -o %t.json
// RUN: FileCheck %s --check-prefix=JSON --input-file=%t.json
// RUN: lw-opt --sched-convert=script %t.json > %t.mlir
// RUN: FileCheck %s --check-prefix=SCRIPT --input-file=%t.mlir
// RUN: lw-opt --sched-convert=json %t.mlir | diff %t.json -
// RUN: lw-opt %t.json --sched-convert=rust | FileCheck %s --check-prefix=RUST

// Refusals.
// RUN: not lw-opt --sched-convert=yaml %s 2>&1 | FileCheck %s --check-prefix=WORD
// RUN: not lw-opt --sched-convert=json 2>&1 | FileCheck %s --check-prefix=FEW
// RUN: not lw-opt --sched-convert=json %s %s 2>&1 | FileCheck %s --check-prefix=MANY
// RUN: not lw-opt --sched-convert=json %s --canonicalize 2>&1 | FileCheck %s --check-prefix=BESIDE
// RUN: not lw-opt --sched-convert=json %s -o 2>&1 | FileCheck %s --check-prefix=NO-FILE
// RUN: not lw-opt --sched-convert=json %s -o %t.none/file 2>&1 | FileCheck %s --check-prefix=UNWRITTEN
// RUN: not lw-opt --sched-convert=json %S/../interface/scripts.mlir 2>&1 | FileCheck %s --check-prefix=MORE
// RUN: lw-opt --help | FileCheck %s --check-prefix=HELP

// JSON: "version": 1,
// JSON-NEXT: "function": "a \"b\"",
// JSON-NEXT: "hash": "5b0cf3a1d2e49817",
// JSON-NEXT: "steps": [
// JSON-NEXT: {"primitive": "split", "loop": "C:j", "factors": [4, -1]},
// JSON-NEXT: {"primitive": "reorder", "loops": ["C:k", "C:j.1"], "proof": "assume"},
// JSON-NEXT: {"primitive": "vectorize", "loop": "C:i"}
// JSON-NEXT: ]
// SCRIPT: %f = transform.sched.function @"a \22b\22" in %module version 1 hash "5b0cf3a1d2e49817"
// SCRIPT-NEXT: transform.sched.split "C:j" in %f factors [4, -1]
// SCRIPT-NEXT: transform.sched.reorder ["C:k", "C:j.1"] in %f proof "assume"
// SCRIPT-NEXT: transform.sched.vectorize "C:i" in %f
// RUST: schedule.split("C:j", &{{\[}}4, -1], None)?;
// RUST-NEXT: schedule.assume().reorder(&["C:k", "C:j.1"])?;
// RUST-NEXT: schedule.vectorize("C:i", None)?;

// WORD: lw-opt: error: found 'yaml' for --sched-convert, expected one of script, json, rust (see --help)
// FEW: lw-opt: error: --sched-convert takes a trace, found 0 files
// MANY: lw-opt: error: --sched-convert takes a trace, found 2 files
// BESIDE: lw-opt: error: --canonicalize has no effect with --sched-convert
// NO-FILE: lw-opt: error: -o has no file name
// UNWRITTEN: file: error: cannot be written
// MORE: error:
// HELP: --sched-convert=(script|json|rust) FILE
// HELP: --sched-apply {{.*}}Apply the trace in a file
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op) {
    %f = transform.sched.function @"a \"b\"" in %module hash "5b0cf3a1d2e49817"
    transform.sched.split "C:j" in %f factors [4, -1]
    transform.sched.reorder ["C:k", "C:j.1"] in %f proof "assume"
    transform.sched.vectorize "C:i" in %f
    transform.yield
  }
}
