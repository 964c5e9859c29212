// A bound loop of one iteration reduces with no other thread: a reader of the sum may be in it.
// RUN: lw-opt %s --verify-each=numeric --sched-reverse-compute-at='block=C loop=S:k' --cse -o /dev/null 2>&1 | count 0
// RUN: lw-opt %s --sched-reverse-compute-at='block=C loop=S:k' | FileCheck %s
// RUN: lw-opt %s --sched-reverse-compute-at='block=C loop=S:k' | lw-opt --lw-nvptx-pipeline='from=schedule to=gpu' | FileCheck %s --check-prefix=KERNEL

// CHECK:      loop.for thread_bind[blockIdx.x] %k in 1 {
// CHECK-NEXT:   loop.block "S"
// CHECK:        loop.block "C"
// KERNEL:     gpu.launch_func
// KERNEL-NOT: gpu.launch_func
func.func @main(%A: memref<4x1xi32>, %C: memref<4xi32> {loop.result}) {
  %S = loop.buffer "S" scope(global) : memref<4xi32>
  loop.for serial %i in 4 {
    loop.for thread_bind[blockIdx.x] %k in 1 {
      loop.block "S" [%v: spatial 4, %w: reduce 1] = (%i, %k) reads(%A[%v : 1, %w : 1]) writes(%S[%v : 1]) reducer(add, 0) {
        loop.init {
          %zero = arith.constant 0 : i32
          memref.store %zero, %S[%v] : memref<4xi32>
        }
        %a = memref.load %A[%v, %w] : memref<4x1xi32>
        %s = memref.load %S[%v] : memref<4xi32>
        %t = arith.addi %s, %a : i32
        memref.store %t, %S[%v] : memref<4xi32>
      }
    }
  }
  loop.for serial %i in 4 {
    loop.block "C" [%v: spatial 4] = (%i) reads(%S[%v : 1]) writes(%C[%v : 1]) {
      %s = memref.load %S[%v] : memref<4xi32>
      memref.store %s, %C[%v] : memref<4xi32>
    }
  }
  return
}
