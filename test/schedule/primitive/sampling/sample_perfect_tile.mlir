// Sampling decisions: factors, sampled or given; stored in the function, used by later steps, recorded in the trace.
// RUN: lw-opt %s --sched-sample-perfect-tile='loop=C:j as=tile parts=3 max_innermost=8 seed=4' \
// RUN:   --sched-split='loop=C:j factors=$tile' --sched-sample-perfect-tile='loop=C:i as=rows decision=3,2' \
// RUN:   --sched-split='loop=C:i factors=$rows' --sched-sample-perfect-tile='loop=P:i as=prime' \
// RUN:   --sched-sample-perfect-tile='loop=P:i as=one parts=1' --sched-sample-perfect-tile='loop=O:i as=ones parts=4' \
// RUN:   --sched-split='loop=O:j factors=-1,$ones' --sched-verify | FileCheck %s
// The same from a script; a decision that the step does not give is sampled, and always the same for one seed.
// RUN: lw-opt %s --sched-sample-perfect-tile='loop=C:j as=tile parts=3 max_innermost=8 seed=4' \
// RUN:   --sched-split='loop=C:j factors=$tile' --sched-print-trace=script > %t.mlir
// RUN: FileCheck %s --check-prefix=TRACE < %t.mlir
// RUN: lw-opt --sched-convert=json %t.mlir -o %t.json
// RUN: FileCheck %s --check-prefix=JSON < %t.json
// RUN: lw-opt --sched-convert=rust %t.mlir | FileCheck %s --check-prefix=RUST
// RUN: lw-opt --sched-convert=script %t.json | diff %t.mlir -
// RUN: lw-opt %s --sched-apply=%t.json | FileCheck %s --check-prefix=SAME
// Another decision gives another schedule.
// RUN: sed 's/decision .*/decision [2, 32, 1]/' %t.mlir > %t.other.mlir
// RUN: lw-opt %s --sched-apply=%t.other.mlir | FileCheck %s --check-prefix=OTHER
// RUN: lw-opt --sched-space=%t.mlir %s | FileCheck %s --check-prefix=SPACE
// RUN: lw-opt --sched-redraw=%t.mlir --seed=1 %s -o %t.drawn.mlir
// RUN: lw-opt --sched-redraw=%t.mlir --seed=1 %s | diff %t.drawn.mlir -
// RUN: FileCheck %s --check-prefix=DRAWN < %t.drawn.mlir
// RUN: lw-opt %s --sched-apply=%t.drawn.mlir --sched-verify -o /dev/null
// It compiles despite the stored decisions in the function.
// RUN: lw-opt %s --sched-apply=%t.json -o %t.done.mlir
// RUN: lw-run %t.done.mlir --entry tiles --compile-to llvm-ir | FileCheck %s --check-prefix=LLVM

// CHECK-LABEL: func.func @tiles
// CHECK-SAME:    loop.decisions = {rows = array<i64: 3, 2>, tile = array<i64: [[A:[0-9]+]], [[B:[0-9]+]], [[C:[0-9]+]]>}
// CHECK:         loop.for serial %i.0 in 3
// CHECK-NEXT:      loop.for serial %i.1 in 2
// CHECK-NEXT:        loop.for serial %j.0 in [[A]]
// CHECK-NEXT:          loop.for serial %j.1 in [[B]]
// CHECK-NEXT:            loop.for serial %j.2 in [[C]]
// CHECK-NEXT:              loop.block "C"
// CHECK-NOT:                   where
// A prime number beyond the largest innermost factor.
// CHECK-LABEL: func.func @prime
// CHECK-SAME:    one = array<i64: 13>
// CHECK-SAME:    prime = array<i64: {{13, 1|1, 13}}>
// CHECK-LABEL: func.func @one
// CHECK-SAME:    ones = array<i64: 1, 1, 1, 1>
// CHECK:         loop.for serial %j.0 in 64
// CHECK-COUNT-4: in 1 axis

// TRACE:      transform.sched.sample_perfect_tile "C:j" in %f as "tile" parts 3 max_innermost 8 decision [{{[0-9]+, [0-9]+, [0-9]+}}]
// TRACE-NEXT: transform.sched.split "C:j" in %f factors "$tile"
// JSON:       {"primitive": "sample_perfect_tile", "loop": "C:j", "as": "tile", "parts": 3, "max_innermost": 8, "decision": [{{[0-9, ]+}}]},
// JSON-NEXT:  {"primitive": "split", "loop": "C:j", "factors": "$tile"}
// RUST:       schedule.sample_perfect_tile("C:j", "tile", Some(3), Some(8), &[{{[0-9, ]+}}], None)?;
// RUST-NEXT:  schedule.split("C:j", "$tile", None)?;
// SAME:       tile = array<i64: [[A:[0-9]+]], [[B:[0-9]+]], [[C:[0-9]+]]>
// SAME:       %j.0 in [[A]]
// SAME:       %j.1 in [[B]]
// SAME:       %j.2 in [[C]]
// OTHER:      %j.0 in 2
// OTHER:      %j.1 in 32
// OTHER:      %j.2 in 1
// SPACE:      step 1: tile = [{{[0-9, ]+}}], of 3 factors of 64, the last at most 8: 22 ways
// DRAWN:      transform.sched.sample_perfect_tile "C:j" in %f as "tile" parts 3 max_innermost 8 decision [{{[0-9]+, [0-9]+, [0-9]+}}]
// DRAWN-NEXT: transform.sched.split "C:j" in %f factors "$tile"
// LLVM:       define
func.func @tiles(%A: memref<6x64xf32>, %B: memref<6x64xf32>) {
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

func.func @prime(%A: memref<13x64xf32>, %B: memref<13x64xf32>) {
  loop.for serial %i in 13 {
    loop.for serial %j in 64 {
      loop.block "P" [%v: spatial 13, %w: spatial 64] = (%i, %j)
          reads(%A[%v : 1, %w : 1]) writes(%B[%v : 1, %w : 1]) {
        %a = memref.load %A[%v, %w] : memref<13x64xf32>
        memref.store %a, %B[%v, %w] : memref<13x64xf32>
      }
    }
  }
  return
}

func.func @one(%A: memref<1x64xf32>, %B: memref<1x64xf32>) {
  loop.for serial %i in 1 {
    loop.for serial %j in 64 {
      loop.block "O" [%v: spatial 1, %w: spatial 64] = (%i, %j)
          reads(%A[%v : 1, %w : 1]) writes(%B[%v : 1, %w : 1]) {
        %a = memref.load %A[%v, %w] : memref<1x64xf32>
        memref.store %a, %B[%v, %w] : memref<1x64xf32>
      }
    }
  }
  return
}
