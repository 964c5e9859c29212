// RUN: not lw-opt %s --sched-blockize=target=R --sched-split='loop=R:k factors=-1,3 tail=peel' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=PEEL
// RUN: lw-opt %s --sched-blockize=target=D:j --sched-software-pipeline='loop=D:j stages=0,1 order=0,1' \
// RUN:   | FileCheck %s --check-prefix=PIPELINE
// RUN: lw-opt %s --sched-blockize=target=P:i.0 --sched-double-buffer=block=P | FileCheck %s --check-prefix=BUFFER
// RUN: lw-opt %s --sched-blockize=target=Q --compact-buffers --entail-loop-condition | FileCheck %s --check-prefix=COMPACT
// RUN: lw-opt %s --verify-each=numeric \
// RUN:   --sched-blockize=target=D:j --sched-software-pipeline='loop=D:j stages=0,1 order=0,1' \
// RUN:   --sched-blockize=target=P:i.0 --sched-double-buffer=block=P --sched-blockize=target=Q --compact-buffers \
// RUN:   --entail-loop-condition --convert-loop-to-scf -o /dev/null 2>&1 | count 0

// The condition of the start is recognised through an iter of the enclosing schedule block.
// PEEL: split: the initialization of schedule block "R" would change
func.func @peel(%A: memref<7xi32>, %R: memref<1xi32>) {
  loop.for serial %k in 7 {
    loop.block "R" [%vk: reduce 7] = (%k) reads(%A[%vk : 1]) writes(%R[0 : 1]) reducer(add, 0) {
      %c0 = arith.constant 0 : index
      loop.init {
        %zero = arith.constant 0 : i32
        memref.store %zero, %R[%c0] : memref<1xi32>
      }
      %a = memref.load %A[%vk] : memref<7xi32>
      %r = memref.load %R[%c0] : memref<1xi32>
      %s = arith.addi %r, %a : i32
      memref.store %s, %R[%c0] : memref<1xi32>
    }
  }
  return
}

// The loop of a schedule block becomes a branch that contains a pipeline.
// PIPELINE-LABEL: func.func @pipeline
// PIPELINE:       loop.block "D_o"
// PIPELINE:         loop.if
// PIPELINE:           loop.block "D.prologue"
func.func @pipeline(%D: memref<?xi32>, %E: memref<?xi32>, %n: index) {
  loop.for serial %j in %n {
    loop.block "D" [%v: spatial %n] = (%j) writes(%D[%v : 1]) {
      %one = arith.constant 1 : i32
      memref.store %one, %D[%v] : memref<?xi32>
    }
    loop.block "E" [%v: spatial %n] = (%j) reads(%D[%v : 1]) writes(%E[%v : 1]) {
      %d = memref.load %D[%v] : memref<?xi32>
      memref.store %d, %E[%v] : memref<?xi32>
    }
  }
  return
}

// BUFFER-LABEL: func.func @tiles
// BUFFER:       %T = loop.buffer "T" scope(global) : memref<2x4xi32>
// BUFFER:       loop.block "P_o" [] = ()
// BUFFER-NEXT:      reads(%arg0[0 : 12], %T[*, 0 : 4]) writes(%T[*, 0 : 4], %arg1[0 : 12])
func.func @tiles(%A: memref<12xi32>, %B: memref<12xi32>) {
  %T = loop.buffer "T" scope(global) : memref<12xi32>
  loop.for serial %i.0 in 3 {
    loop.for serial %i.1 in 4 {
      loop.block "P" [%v: spatial 12] = (%i.0 * 4 + %i.1) reads(%A[%v : 1]) writes(%T[%v : 1]) {
        %a = memref.load %A[%v] : memref<12xi32>
        memref.store %a, %T[%v] : memref<12xi32>
      }
    }
    loop.for serial %i.1 in 4 {
      loop.block "C" [%v: spatial 12] = (%i.0 * 4 + %i.1) reads(%T[%v : 1]) writes(%B[%v : 1]) {
        %t = memref.load %T[%v] : memref<12xi32>
        memref.store %t, %B[%v] : memref<12xi32>
      }
    }
  }
  return
}

// A smaller buffer would need an iter over loops that are not visible in the inner schedule block.
// COMPACT-LABEL: func.func @overlap
// COMPACT:         %U = loop.buffer "U" scope(global) : memref<8xi32>
// COMPACT:           loop.block "Q_o" [%v_o: spatial 8] = (%i.0 * 2 + %i.1)
func.func @overlap(%A: memref<8xi32>, %B: memref<8xi32>) {
  %U = loop.buffer "U" scope(global) : memref<8xi32>
  loop.for serial %i.0 in 3 {
    loop.for serial %i.1 in 4 {
      loop.block "Q" [%v: spatial 8] = (%i.0 * 2 + %i.1) reads(%A[%v : 1]) writes(%U[%v : 1]) {
        %a = memref.load %A[%v] : memref<8xi32>
        memref.store %a, %U[%v] : memref<8xi32>
      }
    }
    loop.for serial %i.1 in 2 {
      loop.block "E2" [%v: spatial 8] = (%i.0 * 2 + %i.1) reads(%U[%v : 1]) writes(%B[%v : 1]) {
        %t = memref.load %U[%v] : memref<8xi32>
        memref.store %t, %B[%v] : memref<8xi32>
      }
    }
  }
  return
}

// An extent instead of a predicate: the enclosing region is recomputed.
// COMPACT-LABEL: func.func @entail
// COMPACT:         loop.block "G" [%v: spatial 3] = (%i.0)
// COMPACT-NEXT:        writes(%arg0[*]) {
func.func @entail(%A: memref<10xi32>) {
  loop.for serial %i.0 in 3 {
    loop.block "G" [%v: spatial 3] = (%i.0) writes(%A[%v * 4 : 4]) {
      loop.for serial %i.1 in 4 {
        loop.block "H" [%w: spatial 10] = (%v * 4 + %i.1) where(-%v * 4 - %i.1 + 9 >= 0) writes(%A[%w : 1]) {
          %one = arith.constant 1 : i32
          memref.store %one, %A[%w] : memref<10xi32>
        }
      }
    }
  }
  return
}
