// A new name that is taken gets the first free number.
// RUN: lw-opt %s --sched-split='loop=A:i factors=-1,2' --sched-split='loop=B:i factors=-1,4 tail=peel' \
// RUN:   --sched-fuse='loops=C:i,C:j' --sched-loop-partition='loop=D:i factors=2,-1' \
// RUN:   --sched-unroll='loop=E:i factor=4' | FileCheck %s

// CHECK-LABEL: @split
// CHECK: loop.for serial %i.0 in 2
// CHECK-NEXT: loop.for serial %i.0_1 in 4 axis(tile_outer from "i" pair "i.1_1")
// CHECK-NEXT: loop.for serial %i.1_1 in 2 axis(tile_inner from "i" pair "i.0_1")
// CHECK-NEXT: loop.for serial %i.1 in 3
func.func @split() {
  loop.for serial %i.0 in 2 {
    loop.for serial %i in 8 {
      loop.for serial %i.1 in 3 { loop.block "A" [%v: spatial 8] = (%i) {} }
    }
  }
  return
}

// CHECK-LABEL: @peel
// CHECK: loop.for serial %i.0 in 2
// CHECK: loop.for serial %i.tail in 2
// CHECK: loop.block "B"
// CHECK: loop.for serial %i.tail_1 in 2
// CHECK: loop.block "B.tail_1"
// CHECK: loop.block "B.tail"
func.func @peel() {
  loop.for serial %i in 10 {
    loop.for serial %i.tail in 2 { loop.block "B" [%v: spatial 10] = (%i) {} }
  }
  loop.for serial %k in 2 { loop.block "B.tail" [%v: spatial 2] = (%k) {} }
  return
}

// CHECK-LABEL: @fuse
// CHECK: loop.for serial %i_j_fused in 2
// CHECK-NEXT: loop.for serial %i_j_fused_1 in 12
func.func @fuse() {
  loop.for serial %i_j_fused in 2 {
    loop.for serial %i in 4 {
      loop.for serial %j in 3 { loop.block "C" [%v: spatial 4, %w: spatial 3] = (%i, %j) {} }
    }
  }
  return
}

// CHECK-LABEL: @partition
// CHECK: loop.for serial %i.1 in 2
// CHECK-NEXT: loop.for serial %i.0 in 2
// CHECK: loop.for serial %i.1_1 in 6
func.func @partition() {
  loop.for serial %i.1 in 2 {
    loop.for serial %i in 8 { loop.block "D" [%v: spatial 8] = (%i) {} }
  }
  return
}

// CHECK-LABEL: @unroll
// CHECK: loop.for serial %i.0 in 2
// CHECK-NEXT: loop.for unroll %i.1_1 in 4
// CHECK-NEXT: loop.for serial %i.1 in 2
func.func @unroll() {
  loop.for serial %i in 8 {
    loop.for serial %i.1 in 2 { loop.block "E" [%v: spatial 8] = (%i) {} }
  }
  return
}
