// RUN: lw-opt %s --sched-reorder-block-iter-var='block=sum order=2,0,1' --sched-reorder-block-iter-var='block=sized order=1,0' \
// RUN:   --sched-reorder-block-iter-var='block=nest order=1,0' | FileCheck %s
// RUN: lw-opt %s --sched-reorder-block-iter-var='block=sum order=2,0,1' --sched-reorder-block-iter-var='block=sum order=1,2,0' \
// RUN:   | FileCheck %s --check-prefix=BACK

// CHECK-LABEL: func.func @sum
// CHECK:       loop.block "sum" [%k: reduce 16, %v: spatial 32, %w: spatial 64] = (%l, %i, %j)
// CHECK-NEXT:      where(%i - 1 >= 0)
// CHECK-NEXT:      reads(%arg0[%v : 1, %k : 1], %arg1[%k : 1, %w : 1]) writes(%arg2[%v : 1, %w : 1])
// CHECK:           memref.load %arg0[%v, %k]
// BACK-LABEL: func.func @sum
// BACK:       loop.block "sum" [%v: spatial 32, %w: spatial 64, %k: reduce 16] = (%i, %j, %l)
func.func @sum(%A: memref<32x16xf32>, %B: memref<16x64xf32>, %C: memref<32x64xf32>) {
  loop.for serial %i in 32 {
    loop.for serial %j in 64 {
      loop.for serial %l in 16 {
        loop.block "sum" [%v: spatial 32, %w: spatial 64, %k: reduce 16] = (%i, %j, %l) where(%i - 1 >= 0)
            reads(%A[%v : 1, %k : 1], %B[%k : 1, %w : 1]) writes(%C[%v : 1, %w : 1]) reducer(add, 0.0) {
          loop.init {
            %zero = arith.constant 0.0 : f32
            memref.store %zero, %C[%v, %w] : memref<32x64xf32>
          }
          %a = memref.load %A[%v, %k] : memref<32x16xf32>
          %b = memref.load %B[%k, %w] : memref<16x64xf32>
          %c = memref.load %C[%v, %w] : memref<32x64xf32>
          %p = arith.mulf %a, %b : f32
          %s = arith.addf %c, %p : f32
          memref.store %s, %C[%v, %w] : memref<32x64xf32>
        }
      }
    }
  }
  return
}

// Sizes are numbered in order of appearance.
// CHECK-LABEL: func.func @sized
// CHECK:       loop.block "sized" [%w: spatial %arg2, %v: spatial %arg1] = (%j, %i)
// CHECK-NEXT:      writes(%arg0[%v : 1, %w : 1])
func.func @sized(%A: memref<?x?xf32>, %m: index, %n: index) {
  loop.for serial %i in %m {
    loop.for serial %j in %n {
      loop.block "sized" [%v: spatial %m, %w: spatial %n] = (%i, %j) writes(%A[%v : 1, %w : 1]) {
        %x = arith.constant 1.0 : f32
        memref.store %x, %A[%v, %w] : memref<?x?xf32>
      }
    }
  }
  return
}

// Iters of a block around other blocks.
// CHECK-LABEL: func.func @nest
// CHECK:       loop.block "nest" [%w: spatial 4, %v: spatial 8] = (%j, %i)
// CHECK-NEXT:      writes(%arg0[%v * 2 : 2, %w : 1])
// CHECK-NEXT:    loop.for serial %k in 2 {
// CHECK-NEXT:      loop.block "leaf" [%x: spatial 16, %y: spatial 4] = (%v * 2 + %k, %w)
func.func @nest(%A: memref<16x4xf32>) {
  loop.for serial %i in 8 {
    loop.for serial %j in 4 {
      loop.block "nest" [%v: spatial 8, %w: spatial 4] = (%i, %j) writes(%A[%v * 2 : 2, %w : 1]) {
        loop.for serial %k in 2 {
          loop.block "leaf" [%x: spatial 16, %y: spatial 4] = (%v * 2 + %k, %w) writes(%A[%x : 1, %y : 1]) {
            %one = arith.constant 1.0 : f32
            memref.store %one, %A[%x, %y] : memref<16x4xf32>
          }
        }
      }
    }
  }
  return
}
