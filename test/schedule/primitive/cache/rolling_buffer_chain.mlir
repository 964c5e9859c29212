// A chain of windows: rolling_buffer keeps one of them, and refers to the steps that keep both.
// RUN: not lw-opt %s --sched-compute-at='block=T loop=C:y' --sched-compute-at='block=S loop=C:y' --sched-rolling-buffer='block=S loop=C:y' --sched-rolling-buffer='block=T loop=C:y' 2>&1 | FileCheck %s --check-prefix=HINT
// RUN: lw-opt %s --verify-each=numeric --sched-shift='loop=T:y by=2' --sched-merge='loops=S:y,T:y' --sched-shift='loop=C:y by=4' --sched-merge='loops=S:y,C:y' --sched-fold-storage='buffer=S axis=0 size=3' --sched-fold-storage='buffer=T axis=0 size=3' | FileCheck %s
// HINT: error: 'loop.block' op rolling_buffer: {{.*}}a buffer that it reads is written in the loop (C7)
// HINT: note: the writer is here: for a chain of windows use shift, merge and fold_storage in the place of compute_at

// CHECK: loop.buffer "S" scope(global) : memref<3xf32>
// CHECK: loop.buffer "T" scope(global) : memref<3xf32>
// CHECK: loop.for serial %y in 20
// CHECK-NOT: loop.for
func.func @main(%A: memref<20xf32>, %C: memref<16xf32> {loop.result}) {
  %S = loop.buffer "S" scope(global) : memref<20xf32>
  %T = loop.buffer "T" scope(global) : memref<18xf32>
  loop.for serial %y in 20 {
    loop.block "S" [%v: spatial 20] = (%y) reads(%A[%v : 1]) writes(%S[%v : 1]) {
      %a = memref.load %A[%v] : memref<20xf32>
      memref.store %a, %S[%v] : memref<20xf32>
    }
  }
  loop.for serial %y in 18 {
    loop.block "T" [%v: spatial 18] = (%y) reads(%S[%v : 3]) writes(%T[%v : 1]) {
      %x = memref.load %S[%v] : memref<20xf32>
      %at = affine.apply affine_map<(d0) -> (d0 + 2)>(%v)
      %y2 = memref.load %S[%at] : memref<20xf32>
      %d = arith.subf %x, %y2 : f32
      memref.store %d, %T[%v] : memref<18xf32>
    }
  }
  loop.for serial %y in 16 {
    loop.block "C" [%v: spatial 16] = (%y) reads(%T[%v : 3]) writes(%C[%v : 1]) {
      %x = memref.load %T[%v] : memref<18xf32>
      %at = affine.apply affine_map<(d0) -> (d0 + 2)>(%v)
      %y2 = memref.load %T[%at] : memref<18xf32>
      %d = arith.subf %x, %y2 : f32
      memref.store %d, %C[%v] : memref<16xf32>
    }
  }
  return
}
