// Later steps use the condition under which a nest runs: a tile of 8 fits where the size is at least 8.
// RUN: lw-opt %s --verify-each=numeric --sched-specialize='target=C:i condition="dim(arg0, 0) >= 8"' --sched-split='loop=C:i factors=-1,8 tail=shift_inwards' | FileCheck %s
// RUN: lw-opt %s --verify-each=numeric --sched-specialize='target=C:i condition="dim(arg0, 0) >= 11"' --sched-loop-partition='loop=C:i factors=4,-1,7' | FileCheck %s --check-prefix=PARTS
// Outside of the branch, and for a larger tile, it is refused as before.
// RUN: not lw-opt %s --sched-split='loop=C:i factors=-1,8 tail=shift_inwards' 2>&1 | FileCheck %s --check-prefix=REFUSED
// RUN: not lw-opt %s --sched-specialize='target=C:i condition="dim(arg0, 0) >= 7"' --sched-split='loop=C:i factors=-1,8 tail=shift_inwards' 2>&1 | FileCheck %s --check-prefix=REFUSED
// RUN: not lw-opt %s --sched-specialize='target=C:i condition="dim(arg0, 0) >= 8"' --sched-split='loop=C.else:i factors=-1,8 tail=shift_inwards' 2>&1 | FileCheck %s --check-prefix=REFUSED
// In the other branch the opposite holds.
// RUN: lw-opt %s --verify-each=numeric --sched-specialize='target=C:i condition="dim(arg0, 0) <= 7"' --sched-split='loop=C.else:i factors=-1,8 tail=shift_inwards' | FileCheck %s --check-prefix=ELSE
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
