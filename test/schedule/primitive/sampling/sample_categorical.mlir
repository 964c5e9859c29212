// Sampling decisions: one of several numbers.
// RUN: lw-opt %s --transform-interpreter --sched-verify | FileCheck %s
// RUN: lw-opt %s --sched-sample-categorical='as=width function=lanes candidates=4,8,16 weights=1,2,1 seed=5' \
// RUN:   --sched-vectorize='loop=C:j factor=$width' --sched-split='loop=C:i factors=-1,$width' --sched-print-trace=script > %t.mlir
// RUN: FileCheck %s --check-prefix=TRACE < %t.mlir
// RUN: lw-opt --sched-convert=json %t.mlir -o %t.json
// RUN: FileCheck %s --check-prefix=JSON < %t.json
// RUN: lw-opt --sched-convert=script %t.json | diff %t.mlir -
// RUN: lw-opt --sched-convert=rust %t.mlir | FileCheck %s --check-prefix=RUST
// RUN: lw-opt --sched-space=%t.json %s | FileCheck %s --check-prefix=SPACE
// RUN: lw-opt --sched-redraw=%t.json --seed=2 %s | FileCheck %s --check-prefix=JSON

// CHECK-LABEL: func.func @lanes
// CHECK-SAME:    loop.decisions = {only = 2 : i64, width = 8 : i64}
// CHECK:         loop.for serial %i.0 in 3
// CHECK-NEXT:      loop.for serial %i.1 in 2
// CHECK-NEXT:        loop.for serial %j.0 in 8
// CHECK-NEXT:          loop.for vectorize %j.1 in 8
// CHECK-NEXT:            loop.block "C"
// CHECK:                 loop.annotations = {note = 2 : i64}

// TRACE:      transform.sched.sample_categorical "width" in %f candidates [4, 8, 16] weights [1, 2, 1] decision {{4|8|16}}
// TRACE-NEXT: transform.sched.vectorize "C:j" in %f factor "$width"
// TRACE-NEXT: transform.sched.split "C:i" in %f factors "-1, $width"
// JSON:       {"primitive": "sample_categorical", "as": "width", "candidates": [4, 8, 16], "weights": [1, 2, 1], "decision": {{4|8|16}}},
// JSON-NEXT:  {"primitive": "vectorize", "loop": "C:j", "factor": "$width"},
// JSON-NEXT:  {"primitive": "split", "loop": "C:i", "factors": "-1, $width"}
// RUST:       schedule.sample_categorical("width", &[4, 8, 16], &[1, 2, 1], Some({{4|8|16}}), None)?;
// RUST-NEXT:  schedule.vectorize("C:j", "$width")?;
// RUST-NEXT:  schedule.split("C:i", "-1, $width", None)?;
// SPACE:      step 1: width = {{4|8|16}}, of 4, 8, 16 with weights 1, 2, 1
module attributes {transform.with_named_sequence} {
func.func @lanes(%A: memref<6x64xf32>, %B: memref<6x64xf32>) {
  loop.for serial %i in 6 {
    loop.for serial %j in 64 {
      loop.block "C" [%v: spatial 6, %w: spatial 64] = (%i, %j)
          reads(%A[%v : 1, %w : 1]) writes(%B[%v : 1, %w : 1]) {
        %a = memref.load %A[%v, %w] : memref<6x64xf32>
        memref.store %a, %B[%v, %w] : memref<6x64xf32>
      }
    }
  }
  return
}

transform.named_sequence @__transform_main(%module: !transform.any_op) {
  %f = transform.sched.function @lanes in %module
  transform.sched.sample_categorical "width" in %f candidates [4, 8, 16] decision 8
  // A weight of 0 is never drawn.
  transform.sched.sample_categorical "only" in %f candidates [1, 2, 3] weights [0, 7, 0]
  transform.sched.vectorize "C:j" in %f factor "$width"
  transform.sched.split "C:i" in %f factors "-1, $only"
  transform.sched.annotate "C" in %f key "note" value "$only"
  transform.yield
}
}
