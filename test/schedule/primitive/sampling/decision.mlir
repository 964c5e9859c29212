// Decisions in the parameters of later steps: in lists of numbers, for one number, and anywhere in an index map.
// RUN: lw-opt %s --sched-sample-categorical='as=w function=main candidates=4' \
// RUN:   --sched-transform-layout='buffer=T index_map="(i, j) -> (j floordiv $w, i, j mod $w)"' \
// RUN:   --sched-split='loop=B:i factors=-1,$w' --sched-verify -o %t.mlir --sched-print-trace=script > %t.script
// RUN: FileCheck %s --input-file %t.mlir
// RUN: FileCheck %s --check-prefix=TRACE --input-file %t.script
// CHECK:      loop.decisions = {w = 4 : i64}
// CHECK-NEXT: loop.buffer "T" scope(global) : memref<2x6x4xf32>
// CHECK:      loop.for serial %i.0 in 2
// CHECK-NEXT: loop.for serial %i.1 in 4
// The trace refers to the decision; another one gives another layout.
// TRACE:      transform.sched.transform_layout "T" in %f index_map "(i, j) -> (j floordiv $w, i, j mod $w)"
// TRACE-NEXT: transform.sched.split "B:i" in %f factors "-1, $w"
// RUN: sed 's/candidates \[4\] decision 4/candidates [2] decision 2/' %t.script > %t.other
// RUN: lw-opt %s --sched-apply=%t.other --sched-verify | FileCheck %s --check-prefix=OTHER
// OTHER: loop.buffer "T" scope(global) : memref<4x6x2xf32>

// A name that there is not, an empty one, and decisions that are no number.
// RUN: not lw-opt %s --sched-transform-layout='buffer=T index_map="(i, j) -> (j floordiv $w, i, j mod 4)"' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=NONE
// RUN: not lw-opt %s --sched-transform-layout='buffer=T index_map="(i, j) -> (j floordiv $, i, j mod 4)"' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=EMPTY
// RUN: not lw-opt %s --sched-sample-perfect-tile='loop=A:j as=t' \
// RUN:   --sched-transform-layout='buffer=T index_map="(i, j) -> (j floordiv $t, i, j mod $t)"' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=LIST
// NONE:  transform_layout: there is no decision "w": there is none
// EMPTY: transform_layout: there is no decision "": there is none
// LIST:  transform_layout: "$t" is not what 'index_map' takes: expected one number
func.func @main(%X: memref<6x8xf32>, %Y: memref<6x8xf32>) {
  %T = loop.buffer "T" scope(global) : memref<6x8xf32>
  loop.for serial %i in 6 {
    loop.for serial %j in 8 {
      loop.block "A" [%v: spatial 6, %w: spatial 8] = (%i, %j) reads(%X[%v : 1, %w : 1]) writes(%T[%v : 1, %w : 1]) {
        %x = memref.load %X[%v, %w] : memref<6x8xf32>
        memref.store %x, %T[%v, %w] : memref<6x8xf32>
      }
    }
  }
  loop.for serial %i in 6 {
    loop.for serial %j in 8 {
      loop.block "B" [%v: spatial 6, %w: spatial 8] = (%i, %j) reads(%T[%v : 1, %w : 1]) writes(%Y[%v : 1, %w : 1]) {
        %x = memref.load %T[%v, %w] : memref<6x8xf32>
        memref.store %x, %Y[%v, %w] : memref<6x8xf32>
      }
    }
  }
  return
}
