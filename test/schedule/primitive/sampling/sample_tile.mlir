// Sampling decisions: sizes of tiles that need not divide the extent, which may be prime or known only at run time.
// RUN: lw-opt %s --sched-sample-tile='loop=C:j as=tile parts=3 max_innermost=8 seed=3' \
// RUN:   --sched-split='loop=C:j factors=$tile' --sched-sample-tile='loop=C:i as=rows decision=-1,5' \
// RUN:   --sched-split='loop=C:i factors=$rows' --sched-sample-tile='loop=P:i as=prime seed=2' \
// RUN:   --sched-sample-tile='loop=O:i as=ones parts=4' --sched-split='loop=P:i factors=$prime' \
// RUN:   --sched-verify | FileCheck %s
// The same from a script; a decision that the step does not give is sampled, and always the same for one seed.
// RUN: lw-opt %s --sched-sample-tile='loop=C:j as=tile parts=3 max_innermost=8 seed=3' \
// RUN:   --sched-split='loop=C:j factors=$tile' --sched-print-trace=script > %t.mlir
// RUN: FileCheck %s --check-prefix=TRACE < %t.mlir
// RUN: lw-opt --sched-convert=json %t.mlir -o %t.json
// RUN: lw-opt --sched-convert=script %t.json | diff %t.mlir -
// RUN: lw-opt %s --sched-apply=%t.json | FileCheck %s --check-prefix=SAME
// Another decision gives another schedule.
// RUN: sed 's/decision .*/decision [-1, 7, 5]/' %t.mlir > %t.other.mlir
// RUN: lw-opt %s --sched-apply=%t.other.mlir --sched-verify | FileCheck %s --check-prefix=OTHER
// RUN: lw-opt --sched-space=%t.mlir %s | FileCheck %s --check-prefix=SPACE
// RUN: lw-opt --sched-redraw=%t.mlir --seed=1 %s -o %t.drawn.mlir
// RUN: lw-opt --sched-redraw=%t.mlir --seed=1 %s | diff %t.drawn.mlir -
// RUN: lw-opt %s --sched-apply=%t.drawn.mlir --sched-verify -o /dev/null

// CHECK-LABEL: func.func @tiles
// CHECK-SAME:    loop.decisions = {rows = array<i64: -1, 5>, tile = array<i64: -1, [[B:[0-9]+]], [[C:[0-9]+]]>}
// CHECK:         loop.for serial %i.0 in 3
// CHECK-NEXT:      loop.for serial %i.1 in 5
// CHECK-NEXT:        loop.for serial %j.0 in
// CHECK-NEXT:          loop.for serial %j.1 in [[B]]
// CHECK-NEXT:            loop.for serial %j.2 in [[C]]
// CHECK-NEXT:              loop.block "C"
// CHECK-NEXT:                  where
// CHECK-LABEL: func.func @prime
// CHECK-SAME:    loop.decisions = {prime = array<i64: -1, {{1|2|3|4|6|8|12|13}}>}
// An extent of 1 has one tile.
// CHECK-LABEL: func.func @one
// CHECK-SAME:    ones = array<i64: -1, 1, 1, 1>

// TRACE:      transform.sched.sample_tile "C:j" in %f as "tile" parts 3 max_innermost 8 decision [-1, {{[0-9]+, [0-9]+}}]
// TRACE-NEXT: transform.sched.split "C:j" in %f factors "$tile"
// SAME:       tile = array<i64: -1, [[B:[0-9]+]], [[C:[0-9]+]]>
// SAME:       %j.1 in [[B]]
// SAME:       %j.2 in [[C]]
// OTHER:      %j.1 in 7
// OTHER:      %j.2 in 5
// SPACE:      step 1: tile = [-1, {{[0-9, ]+}}], of -1 and 2 factors with a product of at most 4096, the last at most 8 for extent unknown: 122 ways
func.func @tiles(%A: memref<13x?xf32>, %B: memref<13x?xf32>) {
  %c1 = arith.constant 1 : index
  %n = memref.dim %A, %c1 : memref<13x?xf32>
  loop.for serial %i in 13 {
    loop.for serial %j in %n {
      loop.block "C" [%v: spatial 13, %w: spatial %n] = (%i, %j)
          reads(%A[%v : 1, %w : 1]) writes(%B[%v : 1, %w : 1]) {
        %a = memref.load %A[%v, %w] : memref<13x?xf32>
        memref.store %a, %B[%v, %w] : memref<13x?xf32>
      }
    }
  }
  return
}

func.func @prime(%A: memref<13xf32>, %B: memref<13xf32>) {
  loop.for serial %i in 13 {
    loop.block "P" [%v: spatial 13] = (%i) reads(%A[%v : 1]) writes(%B[%v : 1]) {
      %a = memref.load %A[%v] : memref<13xf32>
      memref.store %a, %B[%v] : memref<13xf32>
    }
  }
  return
}

func.func @one(%A: memref<1xf32>, %B: memref<1xf32>) {
  loop.for serial %i in 1 {
    loop.block "O" [%v: spatial 1] = (%i) reads(%A[%v : 1]) writes(%B[%v : 1]) {
      %a = memref.load %A[%v] : memref<1xf32>
      memref.store %a, %B[%v] : memref<1xf32>
    }
  }
  return
}
