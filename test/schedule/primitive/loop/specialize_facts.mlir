// Later steps use the condition under which a nest runs: a tile of 8 fits where the size is at least 8.
// RUN: lw-opt %s --verify-each=numeric --sched-specialize='target=C:i condition="dim(arg0, 0) >= 8"' --sched-split='loop=C:i factors=-1,8 tail=shift_inwards' | FileCheck %s
// RUN: lw-opt %s --verify-each=numeric --sched-specialize='target=C:i condition="dim(arg0, 0) >= 11"' --sched-loop-partition='loop=C:i factors=4,-1,7' | FileCheck %s --check-prefix=PARTS
// Outside of the branch, and for a larger tile, it is refused as before.
// RUN: not lw-opt %s --sched-split='loop=C:i factors=-1,8 tail=shift_inwards' 2>&1 | FileCheck %s --check-prefix=REFUSED
// RUN: not lw-opt %s --sched-specialize='target=C:i condition="dim(arg0, 0) >= 7"' --sched-split='loop=C:i factors=-1,8 tail=shift_inwards' 2>&1 | FileCheck %s --check-prefix=REFUSED
// RUN: not lw-opt %s --sched-specialize='target=C:i condition="dim(arg0, 0) >= 8"' --sched-split='loop=C.else:i factors=-1,8 tail=shift_inwards' 2>&1 | FileCheck %s --check-prefix=REFUSED
// In the other branch the opposite holds.
// RUN: lw-opt %s --verify-each=numeric --sched-specialize='target=C:i condition="dim(arg0, 0) <= 7"' --sched-split='loop=C.else:i factors=-1,8 tail=shift_inwards' | FileCheck %s --check-prefix=ELSE
// A reduction that is not empty starts in a whole tile (peel), and in the first iteration that runs (shift).
// RUN: lw-opt %s --verify-each=numeric --sched-specialize='target=R:t condition="dim(arg0, 0) >= 8"' --sched-split='loop=R:k factors=-1,8 tail=peel' | FileCheck %s --check-prefix=PEEL
// RUN: not lw-opt %s --sched-specialize='target=R:t condition="dim(arg0, 0) >= 7"' --sched-split='loop=R:k factors=-1,8 tail=peel' 2>&1 | FileCheck %s --check-prefix=NOPEEL
// RUN: lw-opt %s --verify-each=numeric --sched-specialize='target=R:t condition="dim(arg0, 0) >= 1"' --sched-shift='loop=R:k by=1' | FileCheck %s --check-prefix=SHIFT
// RUN: not lw-opt %s --sched-specialize='target=R:t condition="dim(arg0, 0) >= 0"' --sched-shift='loop=R:k by=1' 2>&1 | FileCheck %s --check-prefix=ZERO
// RUN: not lw-opt %s --sched-shift='loop=R:k by=1' 2>&1 | FileCheck %s --check-prefix=NOSHIFT
// The sibling of a loop that has iterations can sink into it, and the parts of a partitioned loop can be joined again.
// RUN: lw-opt %s --verify-each=numeric --sched-specialize='target=S:i condition="dim(arg0, 0) >= 1"' --sched-reorder=loops=S:j,S:i | FileCheck %s --check-prefix=SINK
// RUN: not lw-opt %s --sched-reorder=loops=S:j,S:i 2>&1 | FileCheck %s --check-prefix=NOSINK
// RUN: lw-opt %s --verify-each=numeric --sched-specialize='target=R:t condition="dim(arg0, 0) >= 8"' --sched-loop-partition='loop=R:k factors=-1,7' --sched-join='loop=R:k.0' | FileCheck %s --check-prefix=JOIN
// PEEL: loop.for serial %k.tail
// PEEL: else
// NOPEEL: error: {{.*}}split: the initialization of schedule block "R" would change: there may be no whole tile{{.*}}(C8)
// SHIFT: where(%k - 1 >= 0)
// SHIFT: else
// ZERO: error: {{.*}}(C3)
// NOSHIFT: error: {{.*}}shift: schedule block "R" would lose its start values if its reduction is empty{{.*}}(C5)
// SINK: loop.for serial %j
// SINK-NEXT: loop.for serial %i in 4
// NOSINK: error: {{.*}}reorder: loop "j" may have no iterations: its siblings cannot sink into it{{.*}}(C3)
// JOIN: loop.for serial %t in 3
// JOIN-NEXT: loop.for serial %k in %{{.*}}
// CHECK: loop.if
// CHECK: loop.for serial %i.1 in 8
// CHECK-NOT: where
// CHECK: else
// PARTS: loop.for serial %i.0 in 4
// PARTS: loop.for serial %i.2 in 7
// PARTS: else
// ELSE: else
// ELSE: loop.for serial %i.1 in 8
// REFUSED: error: {{.*}}split: the extent of loop "i" may be smaller than a tile of 8{{.*}}(C9)
func.func @main(%A: memref<?xi32>, %C: memref<?xi32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %A, %c0 : memref<?xi32>
  loop.for serial %i in %n {
    loop.block "C" [%v: spatial %n] = (%i) reads(%A[%v : 1]) writes(%C[%v : 1]) {
      %a = memref.load %A[%v] : memref<?xi32>
      %b = arith.addi %a, %a : i32
      memref.store %b, %C[%v] : memref<?xi32>
    }
  }
  return
}
func.func @reduction(%A: memref<?xi32>, %B: memref<i32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %A, %c0 : memref<?xi32>
  loop.for serial %t in 3 {
    loop.for serial %k in %n {
      loop.block "R" [%x: reduce 3, %w: reduce %n] = (%t, %k) reads(%A[%w : 1]) writes(%B[]) reducer(add, 0) {
        loop.init {
          %z = arith.constant 0 : i32
          memref.store %z, %B[] : memref<i32>
        }
        %a = memref.load %A[%w] : memref<?xi32>
        %b = memref.load %B[] : memref<i32>
        %s = arith.addi %b, %a : i32
        memref.store %s, %B[] : memref<i32>
      }
    }
  }
  return
}
func.func @siblings(%A: memref<?xi32>, %P: memref<4xi32>, %Q: memref<4x?xi32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %A, %c0 : memref<?xi32>
  loop.for serial %i in 4 {
    loop.block "O" [%v: spatial 4] = (%i) writes(%P[%v : 1]) {
      %one = arith.constant 1 : i32
      memref.store %one, %P[%v] : memref<4xi32>
    }
    loop.for serial %j in %n {
      loop.block "S" [%v: spatial 4, %w: spatial %n] = (%i, %j) reads(%A[%w : 1]) writes(%Q[%v : 1, %w : 1]) {
        %a = memref.load %A[%w] : memref<?xi32>
        memref.store %a, %Q[%v, %w] : memref<4x?xi32>
      }
    }
  }
  return
}
