// A size for a later nest may be defined after a nest: steps on the earlier nest do not use it.

// RUN: lw-opt %s --sched-split='loop=A:i factors=-1,3' | FileCheck %s --check-prefixes=CHECK,SPLIT
// RUN: lw-opt %s --sched-shift='loop=A:i by=2' | FileCheck %s --check-prefixes=CHECK,SHIFT
// RUN: lw-opt %s --sched-vectorize='loop=A:i factor=3' | FileCheck %s --check-prefixes=CHECK,LANES
// RUN: lw-opt %s --sched-software-pipeline='loop=A:i stages=0,1 order=0,1' | FileCheck %s --check-prefixes=CHECK,STAGES
// RUN: lw-opt %s --verify-each=numeric --sched-split='loop=A:i factors=-1,3' --sched-shift='loop=C:i by=2' -o /dev/null \
// RUN:   2>&1 | count 0

// CHECK-LABEL: func.func @main
// SPLIT:       loop.block "A" [%v: spatial 8] = (%i.0 * 3 + %i.1)
// SPLIT-NEXT:    where(%i.0 * -3 - %i.1 + 7 >= 0)
// SHIFT:       loop.block "A" [%v: spatial 8] = (%i - 2)
// SHIFT-NEXT:    where(%i - 2 >= 0)
// LANES:       loop.for vectorize %i.1 in 3
// STAGES:      loop.block "A.prologue" [%v: spatial 8] = (0)
// STAGES:      loop.block "B.epilogue" [%v: spatial 8] = (7)
// CHECK:       memref.dim
func.func @main(%A: memref<8xf32>, %B: memref<8xf32> {loop.result}, %C: memref<?xf32> {loop.result}) {
  %c0 = arith.constant 0 : index
  loop.for serial %i in 8 {
    loop.block "A" [%v: spatial 8] = (%i) writes(%A[%v : 1]) {
      %a = arith.constant 1.0 : f32
      memref.store %a, %A[%v] : memref<8xf32>
    }
    loop.block "B" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%B[%v : 1]) {
      %a = memref.load %A[%v] : memref<8xf32>
      memref.store %a, %B[%v] : memref<8xf32>
    }
  }
  %n = memref.dim %C, %c0 : memref<?xf32>
  loop.for serial %i in %n {
    loop.block "C" [%v: spatial %n] = (%i) writes(%C[%v : 1]) {
      %a = arith.constant 1.0 : f32
      memref.store %a, %C[%v] : memref<?xf32>
    }
  }
  return
}
