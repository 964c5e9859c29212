// A ring that each iteration of an outer loop fills before it reads it: the outer loop may be parallel, or threads, each
// with a ring of its own.
// RUN: lw-opt %s --verify-each=numeric --sched-split='loop=C:y factors=-1,4' --sched-compute-at='block=P loop=C:y.1' --sched-set-scope='buffer=T scope=local' --sched-rolling-buffer='block=P loop=C:y.1' --sched-parallel='loop=C:y.0' | FileCheck %s
// RUN: lw-opt %s --verify-each=numeric --sched-split='loop=C:y factors=-1,4' --sched-compute-at='block=P loop=C:y.1' --sched-set-scope='buffer=T scope=local' --sched-rolling-buffer='block=P loop=C:y.1' --sched-bind='loop=C:y.0 thread=threadIdx.x' | FileCheck %s --check-prefix=BOUND
// A ring that is rolled along the outer loop is read by the next iteration.
// RUN: not lw-opt %s --sched-split='loop=C:y factors=-1,4' --sched-compute-at='block=P loop=C:y.0' --sched-set-scope='buffer=T scope=local' --sched-rolling-buffer='block=P loop=C:y.0' --sched-parallel='loop=C:y.0' 2>&1 | FileCheck %s --check-prefix=CARRIED
// CHECK: loop.buffer "T" scope(local) : memref<3x5xf32>
// CHECK: loop.for parallel %y.0 in 4
// BOUND: loop.for thread_bind[threadIdx.x] %y.0 in 4
// CARRIED: error: {{.*}} op parallel: {{.*}} (C3)
// Rows that are written in another branch are not written.
// RUN: not lw-opt %s --sched-parallel='loop=D:o' 2>&1 | FileCheck %s --check-prefix=BRANCH
// RUN: lw-opt %s --sched-parallel='loop=E:o' | FileCheck %s --check-prefix=SAME
// BRANCH: error: {{.*}} op parallel: {{.*}}"R"
// SAME: func.func @same_branch
// SAME: loop.for parallel %o in 4
func.func @main(%A: memref<18x5xf32>, %C: memref<16x5xf32> {loop.result}) {
  %T = loop.buffer "T" scope(global) : memref<18x5xf32>
  loop.for serial %y in 18 {
    loop.for serial %x in 5 {
      loop.block "P" [%v: spatial 18, %w: spatial 5] = (%y, %x) reads(%A[%v : 1, %w : 1]) writes(%T[%v : 1, %w : 1]) {
        %a = memref.load %A[%v, %w] : memref<18x5xf32>
        %b = arith.addf %a, %a : f32
        memref.store %b, %T[%v, %w] : memref<18x5xf32>
      }
    }
  }
  loop.for serial %y in 16 {
    loop.for serial %x in 5 {
      loop.block "C" [%v: spatial 16, %w: spatial 5] = (%y, %x) reads(%T[%v : 3, %w : 1]) writes(%C[%v : 1, %w : 1]) {
        %a = memref.load %T[%v, %w] : memref<18x5xf32>
        %at = affine.apply affine_map<(d0) -> (d0 + 2)>(%v)
        %b = memref.load %T[%at, %w] : memref<18x5xf32>
        %c = arith.subf %a, %b : f32
        memref.store %c, %C[%v, %w] : memref<16x5xf32>
      }
    }
  }
  return
}
func.func @other_branch(%A: memref<18xf32>, %C: memref<16xf32> {loop.result}) {
  %R = loop.buffer "R" scope(local) : memref<3xf32>
  loop.for serial %o in 4 {
    loop.if (%o - 2 >= 0) {
      loop.for serial %k in 2 {
        loop.block "D.first" [%v: spatial 18] = (%o * 4 + %k) reads(%A[%v : 1]) writes(%R[%v mod 3 : 1]) {
          %a = memref.load %A[%v] : memref<18xf32>
          %at = affine.apply affine_map<(d0) -> (d0 mod 3)>(%v)
          memref.store %a, %R[%at] : memref<3xf32>
        }
      }
    } else {
      loop.for serial %i in 4 {
        loop.block "D.row" [%v: spatial 18] = (%o * 4 + %i + 2) reads(%A[%v : 1]) writes(%R[%v mod 3 : 1]) {
          %a = memref.load %A[%v] : memref<18xf32>
          %at = affine.apply affine_map<(d0) -> (d0 mod 3)>(%v)
          memref.store %a, %R[%at] : memref<3xf32>
        }
        loop.block "D" [%v: spatial 16] = (%o * 4 + %i) reads(%R[*]) writes(%C[%v : 1]) {
          %at = affine.apply affine_map<(d0) -> (d0 mod 3)>(%v)
          %a = memref.load %R[%at] : memref<3xf32>
          memref.store %a, %C[%v] : memref<16xf32>
        }
      }
    }
  }
  return
}
func.func @same_branch(%A: memref<18xf32>, %C: memref<16xf32> {loop.result}) {
  %R = loop.buffer "R" scope(local) : memref<3xf32>
  loop.for serial %o in 4 {
      loop.for serial %k in 2 {
        loop.block "E.first" [%v: spatial 18] = (%o * 4 + %k) reads(%A[%v : 1]) writes(%R[%v mod 3 : 1]) {
          %a = memref.load %A[%v] : memref<18xf32>
          %at = affine.apply affine_map<(d0) -> (d0 mod 3)>(%v)
          memref.store %a, %R[%at] : memref<3xf32>
        }
      }
      loop.for serial %i in 4 {
        loop.block "E.row" [%v: spatial 18] = (%o * 4 + %i + 2) reads(%A[%v : 1]) writes(%R[%v mod 3 : 1]) {
          %a = memref.load %A[%v] : memref<18xf32>
          %at = affine.apply affine_map<(d0) -> (d0 mod 3)>(%v)
          memref.store %a, %R[%at] : memref<3xf32>
        }
        loop.block "E" [%v: spatial 16] = (%o * 4 + %i) reads(%R[*]) writes(%C[%v : 1]) {
          %at = affine.apply affine_map<(d0) -> (d0 mod 3)>(%v)
          %a = memref.load %R[%at] : memref<3xf32>
          memref.store %a, %C[%v] : memref<16xf32>
        }
      }
  }
  return
}
