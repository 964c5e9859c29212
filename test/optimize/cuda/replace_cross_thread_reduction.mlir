// RUN: lw-opt %s --replace-cross-thread-reduction --verify-each=numeric --pass-report 2>%t.report | FileCheck %s
// RUN: FileCheck %s --check-prefix=REPORT <%t.report
// RUN: lw-opt %s --replace-cross-thread-reduction --replace-cross-thread-reduction >%t.twice
// RUN: lw-opt %s --replace-cross-thread-reduction | diff - %t.twice
// RUN: lw-opt %s --verify-each=numeric --replace-cross-thread-reduction --convert-loop-to-gpu | FileCheck %s --check-prefix=GPU
// REPORT: replace-cross-thread-reduction  @partial_results {{.*}} changed, 1 reductions, 2 buffers
// REPORT: replace-cross-thread-reduction  @distance_row {{.*}} changed, 2 reductions, 2 buffers

#partial = affine_map<()[s0] -> (s0 ceildiv 6)>
#least = affine_map<()[s0] -> (8, s0)>

// The example of the head of the file: five threads, two of which are excluded in the last step.
// CHECK-LABEL: func.func @partial_results
// CHECK-NEXT:    %[[OWN:.*]] = loop.buffer "arg1_part" scope(local) : memref<1xf32>
// CHECK-NEXT:    %[[S:.*]] = loop.buffer "arg1_parts" scope(shared) : memref<5xf32>
// CHECK-NEXT:    loop.for thread_bind[blockIdx.x] %i in 3 {
// CHECK-NEXT:      loop.for thread_bind[threadIdx.x] %k.1 in 5 {
// CHECK-NEXT:        loop.block "B_start" [%vk.1: spatial 5] = (%k.1)
// CHECK:               arith.constant -0.000000e+00
// CHECK:             loop.for serial %k.0 in 3
// CHECK-NEXT:          loop.block "B_part" [%vk.1: spatial 5, %vi: spatial 3, %vk.0: reduce 3] = (%k.1, %i, %k.0)
// CHECK-NEXT:              where(%k.0 * -5 - %k.1 + 12 >= 0)
// CHECK:                   reducer(add, 0.000000e+00)
// CHECK:             loop.block "B_put" [%vk.1: spatial 5] = (%k.1)
// CHECK-NEXT:            reads(%[[OWN]][0 : 1]) writes(%[[S]][%vk.1 : 1])
// CHECK:           loop.sync
// CHECK-NEXT:      loop.for thread_bind[threadIdx.x] %k.1 in 1 {
// CHECK-NEXT:        loop.block "B_join" [%vk.1: spatial 1]
// CHECK:           loop.sync
// CHECK-NEXT:      loop.for thread_bind[threadIdx.x] %k.1 in 2 {
// CHECK-NEXT:        loop.block "B_join_1" [%vk.1: spatial 2]
// CHECK:           loop.sync
// CHECK-NEXT:      loop.for thread_bind[threadIdx.x] %k.1 in 1 {
// CHECK-NEXT:        loop.block "B_join_2" [%vk.1: spatial 1]
// CHECK-NOT:       loop.sync
// CHECK:           loop.for thread_bind[threadIdx.x] %k.1 in 1 {
// CHECK-NEXT:        loop.block "B" [%vi: spatial 3] = (%i)
// CHECK-NOT:       loop.sync
// CHECK:         return
// GPU-LABEL: gpu.func @partial_results_0
// GPU-COUNT-3: gpu.barrier
// GPU-NOT: gpu.barrier
// GPU: gpu.return
func.func @partial_results(%A: memref<3x13xf32>, %B: memref<3xf32> {loop.result}) attributes {loop.fp = "reassoc"} {
  loop.for thread_bind[blockIdx.x] %i in 3 {
    loop.for serial %k.0 in 3 {
      loop.for thread_bind[threadIdx.x] %k.1 in 5 {
        loop.block "B" [%vi: spatial 3, %vk: reduce 13] = (%i, %k.0 * 5 + %k.1) where(%k.0 * -5 - %k.1 + 12 >= 0)
            reads(%A[%vi : 1, %vk : 1]) writes(%B[%vi : 1]) reducer(add, 0.0) {
          loop.init {
            %z = arith.constant 0.0 : f32
            memref.store %z, %B[%vi] : memref<3xf32>
          }
          %a = memref.load %A[%vi, %vk] : memref<3x13xf32>
          %b = memref.load %B[%vi] : memref<3xf32>
          %c = arith.addf %b, %a : f32
          memref.store %c, %B[%vi] : memref<3xf32>
        }
      }
    }
  }
  return
}

// Integers and maxima are exact in any order, whatever the contract. Without a start the existing value is joined.
// The whole function reduces: it becomes one thread block.
// CHECK-LABEL: func.func @dynamic
// CHECK:         loop.for thread_bind[blockIdx.x] %block in 1 {
// CHECK:             loop.for serial %k.0 in
// CHECK:         loop.block "M" [] = ()
func.func @dynamic(%n: index, %A: memref<?xi32>, %M: memref<1xi32> {loop.result}) {
  loop.for serial %k.0 in #partial()[%n] {
    loop.for thread_bind[threadIdx.x] %k.1 in 6 {
      loop.block "M" [%vk: reduce %n] = (%k.0 * 6 + %k.1) where(%k.0 * -6 - %k.1 + symbol(%n) - 1 >= 0)
          reads(%A[%vk : 1]) writes(%M[0 : 1]) reducer(max, -2147483648) {
        loop.init {
          %c0 = arith.constant 0 : index
          %z = arith.constant 7 : i32
          memref.store %z, %M[%c0] : memref<1xi32>
        }
        %c0 = arith.constant 0 : index
        %a = memref.load %A[%vk] : memref<?xi32>
        %b = memref.load %M[%c0] : memref<1xi32>
        %c = arith.maxsi %b, %a : i32
        memref.store %c, %M[%c0] : memref<1xi32>
      }
    }
  }
  return
}

// The maximum of a row, the sum of the distances to it, then each distance relative to that: one kernel, one buffer.
// CHECK-LABEL: func.func @distance_row
// CHECK-COUNT-4: loop.buffer
// CHECK-NOT:     loop.buffer
// CHECK:         loop.block "max" [%v: spatial 3] = (%i)
// CHECK:         loop.sync
// CHECK-NEXT:    loop.for thread_bind[threadIdx.x] %k in 9 {
// CHECK-NEXT:      loop.block "sum_start"
func.func @distance_row(%A: memref<3x7xf32>, %B: memref<3x7xf32> {loop.result}) attributes {loop.fp = "reassoc"} {
  %max = loop.buffer "max" scope(shared) : memref<3xf32>
  %sum = loop.buffer "sum" scope(shared) : memref<3xf32>
  loop.for thread_bind[blockIdx.x] %i in 3 {
    loop.for thread_bind[threadIdx.x] %k in 9 {
      loop.block "max" [%v: spatial 3, %r: reduce 7] = (%i, %k) where(-%k + 6 >= 0)
          reads(%A[%v : 1, %r : 1]) writes(%max[%v : 1]) reducer(max, 0xFF800000) {
        loop.init {
          %z = arith.constant 0xFF800000 : f32
          memref.store %z, %max[%v] : memref<3xf32>
        }
        %a = memref.load %A[%v, %r] : memref<3x7xf32>
        %b = memref.load %max[%v] : memref<3xf32>
        %c = arith.maximumf %b, %a : f32
        memref.store %c, %max[%v] : memref<3xf32>
      }
    }
    loop.sync
    loop.for thread_bind[threadIdx.x] %k in 9 {
      loop.block "sum" [%v: spatial 3, %r: reduce 7] = (%i, %k) where(-%k + 6 >= 0)
          reads(%A[%v : 1, %r : 1], %max[%v : 1]) writes(%sum[%v : 1]) reducer(add, 0.0) {
        loop.init {
          %z = arith.constant 0.0 : f32
          memref.store %z, %sum[%v] : memref<3xf32>
        }
        %a = memref.load %A[%v, %r] : memref<3x7xf32>
        %m = memref.load %max[%v] : memref<3xf32>
        %d = arith.subf %a, %m : f32
        %e = math.absf %d : f32
        %b = memref.load %sum[%v] : memref<3xf32>
        %c = arith.addf %b, %e : f32
        memref.store %c, %sum[%v] : memref<3xf32>
      }
    }
    loop.sync
    loop.for thread_bind[threadIdx.x] %k in 9 {
      loop.block "div" [%v: spatial 3, %r: spatial 7] = (%i, %k) where(-%k + 6 >= 0)
          reads(%A[%v : 1, %r : 1], %max[%v : 1], %sum[%v : 1]) writes(%B[%v : 1, %r : 1]) {
        %a = memref.load %A[%v, %r] : memref<3x7xf32>
        %m = memref.load %max[%v] : memref<3xf32>
        %s = memref.load %sum[%v] : memref<3xf32>
        %d = arith.subf %a, %m : f32
        %e = math.absf %d : f32
        %q = arith.divf %e, %s : f32
        memref.store %q, %B[%v, %r] : memref<3x7xf32>
      }
    }
  }
  return
}

// A row of the shared buffer for each other thread; since the threads run again, the last barrier is kept.
// CHECK-LABEL: func.func @rows
// CHECK:         loop.buffer "arg1_parts" scope(shared) : memref<2x5xf64>
// CHECK:         loop.for thread_bind[threadIdx.y] %y in 2 {
// CHECK:             loop.block "B_join" [%vy: spatial 2, %vk: spatial 1] = (%y, %k)
// CHECK:             loop.block "B" [%vy: spatial 2, %u: spatial 3, %v: spatial 2] = (%y, %j, %y)
// CHECK:             loop.sync
// CHECK-NEXT:      }
func.func @rows(%A: memref<3x2x4xf64>, %B: memref<3x2xf64> {loop.result}) attributes {loop.fp = "fast"} {
  loop.for thread_bind[blockIdx.x] %i in 1 {
    loop.for serial %j in 3 {
      loop.for thread_bind[threadIdx.y] %y in 2 {
        loop.for thread_bind[threadIdx.x] %k in 5 {
          loop.block "B" [%u: spatial 3, %v: spatial 2, %r: reduce 4] = (%j, %y, %k) where(-%k + 3 >= 0)
              reads(%A[%u : 1, %v : 1, %r : 1]) writes(%B[%u : 1, %v : 1]) reducer(mul, 1.0) {
            loop.init {
              %z = arith.constant 2.0 : f64
              memref.store %z, %B[%u, %v] : memref<3x2xf64>
            }
            %a = memref.load %A[%u, %v, %r] : memref<3x2x4xf64>
            %b = memref.load %B[%u, %v] : memref<3x2xf64>
            %c = arith.mulf %b, %a : f64
            memref.store %c, %B[%u, %v] : memref<3x2xf64>
          }
        }
      }
    }
  }
  return
}

// Two reduction axes, one of them of dynamic extent: one after the other. The start is in a separate schedule
// block.
// CHECK-LABEL: func.func @two_axes
// CHECK:         loop.buffer "arg2_parts" scope(shared) : memref<3x8xi8>
// CHECK:           loop.block "B_part" [%vy: spatial 3, %vx: spatial 8] = (%y, %x)
// CHECK-NEXT:          where(-%x + symbol(%arg0) - 1 >= 0)
// CHECK:           loop.for thread_bind[threadIdx.y] %y in 1 {
// CHECK-NEXT:        loop.for thread_bind[threadIdx.x] %x in 8 {
// CHECK-NEXT:          loop.block "B_join"
// CHECK:           loop.for thread_bind[threadIdx.x] %x in 4 {
// CHECK-NEXT:        loop.block "B_join_2"
// CHECK:           loop.block "B" [] = ()
// CHECK-NEXT:          reads(%arg2[0 : 1], %{{.*}}[0 : 1, 0 : 1]) writes(%arg2[0 : 1])
func.func @two_axes(%n: index, %A: memref<3x?xi8>, %B: memref<1xi8> {loop.result}) {
  loop.for thread_bind[blockIdx.x] %g in 1 {
    loop.block "start" [] = () writes(%B[0 : 1]) {
      %c0 = arith.constant 0 : index
      %z = arith.constant 3 : i8
      memref.store %z, %B[%c0] : memref<1xi8>
    }
    loop.for thread_bind[threadIdx.y] %y in 3 {
      loop.for thread_bind[threadIdx.x] %x in min #least()[%n] {
        loop.block "B" [%u: reduce 3, %v: reduce %n] = (%y, %x)
            reads(%A[%u : 1, %v : 1], %B[0 : 1]) writes(%B[0 : 1]) reducer(add, 0) {
          %c0 = arith.constant 0 : index
          %a = memref.load %A[%u, %v] : memref<3x?xi8>
          %b = memref.load %B[%c0] : memref<1xi8>
          %c = arith.addi %b, %a : i8
          memref.store %c, %B[%c0] : memref<1xi8>
        }
      }
    }
  }
  return
}
