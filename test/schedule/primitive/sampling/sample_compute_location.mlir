// Sampling decisions: a loop.
// RUN: lw-opt %s --sched-sample-compute-location='block=P as=at decision=C:i' --sched-compute-at='block=P loop=$at' \
// RUN:   --sched-verify | FileCheck %s
// RUN: lw-opt %s --sched-sample-compute-location='block=P as=at seed=3' --sched-compute-at='block=P loop=$at' \
// RUN:   --sched-verify --sched-print-trace=script > %t.mlir
// RUN: FileCheck %s --check-prefix=TRACE < %t.mlir
// RUN: lw-opt --sched-convert=json %t.mlir -o %t.json
// RUN: FileCheck %s --check-prefix=JSON < %t.json
// RUN: lw-opt --sched-convert=script %t.json | diff %t.mlir -
// RUN: lw-opt --sched-convert=rust %t.mlir | FileCheck %s --check-prefix=RUST
// RUN: lw-opt --sched-space=%t.json %s | FileCheck %s --check-prefix=SPACE
// RUN: lw-opt --sched-redraw=%t.json --seed=2 %s | FileCheck %s --check-prefix=JSON

// CHECK-LABEL: func.func @places
// CHECK-SAME:    loop.decisions = {at = "C:i"}
// CHECK:         loop.for serial %i in 4
// CHECK-NEXT:      loop.for serial
// CHECK-NEXT:        loop.block "P"
// TRACE:      transform.sched.sample_compute_location "P" in %f as "at" decision "C:{{i|j}}"
// TRACE-NEXT: transform.sched.compute_at "P" in %f loop "$at"
// JSON:       {"primitive": "sample_compute_location", "block": "P", "as": "at", "decision": "C:{{i|j}}"},
// JSON-NEXT:  {"primitive": "compute_at", "block": "P", "loop": "$at"}
// RUST:       schedule.sample_compute_location("P", "at", Some("C:{{i|j}}"), None)?;
// RUST-NEXT:  schedule.compute_at("P", "$at")?;
// SPACE:      step 1: at = "C:{{i|j}}", of C:i, C:j
func.func @places(%A: memref<4x8xf32>, %B: memref<4x8xf32>) {
  %T = loop.buffer "T" scope(global) : memref<4x8xf32>
  loop.for serial %i in 4 {
    loop.for serial %j in 8 {
      loop.block "P" [%v: spatial 4, %w: spatial 8] = (%i, %j)
          reads(%A[%v : 1, %w : 1]) writes(%T[%v : 1, %w : 1]) {
        %a = memref.load %A[%v, %w] : memref<4x8xf32>
        %s = arith.addf %a, %a : f32
        memref.store %s, %T[%v, %w] : memref<4x8xf32>
      }
    }
  }
  loop.for serial %i in 4 {
    loop.for serial %j in 8 {
      loop.block "C" [%v: spatial 4, %w: spatial 8] = (%i, %j)
          reads(%T[%v : 1, %w : 1]) writes(%B[%v : 1, %w : 1]) {
        %a = memref.load %T[%v, %w] : memref<4x8xf32>
        memref.store %a, %B[%v, %w] : memref<4x8xf32>
      }
    }
  }
  return
}
