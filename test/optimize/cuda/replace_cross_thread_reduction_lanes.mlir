// Partial results of threads that lanes of warps can join: each thread reduces its own, and lowering does the rest.
// RUN: lw-opt %s --replace-cross-thread-reduction --verify-each=numeric --pass-report 2>%t.report | FileCheck %s
// RUN: FileCheck %s --check-prefix=REPORT <%t.report
// RUN: lw-opt %s --replace-cross-thread-reduction --replace-cross-thread-reduction >%t.twice
// RUN: lw-opt %s --replace-cross-thread-reduction | diff - %t.twice
// RUN: lw-opt %s --verify-each=numeric --replace-cross-thread-reduction --convert-loop-to-gpu --canonicalize --cse | FileCheck %s --check-prefix=GPU
// REPORT: replace-cross-thread-reduction  @one_warp {{.*}} changed, 1 reductions, 1 buffers
// REPORT: replace-cross-thread-reduction  @warps {{.*}} changed, 1 reductions, 1 buffers

#least = affine_map<()[s0] -> (8, s0)>

// One warp contains all threads: no shared memory, no barrier.
// CHECK-LABEL: func.func @one_warp
// CHECK-NEXT:    %[[OWN:.*]] = loop.buffer "arg1_part" scope(local) : memref<1xf32>
// CHECK-NEXT:    loop.for thread_bind[blockIdx.x] %i in 3 {
// CHECK-NEXT:      loop.for thread_bind[threadIdx.x] %k.1 in 32 {
// CHECK-NEXT:        loop.block "B_start" [%vk.1: spatial 32] = (%k.1)
// CHECK:               arith.constant -0.000000e+00
// CHECK:             loop.for serial %k.0 in 3
// CHECK-NEXT:          loop.block "B_part" [%vk.1: spatial 32, %vi: spatial 3, %vk.0: reduce 3] = (%k.1, %i, %k.0)
// CHECK-NEXT:              where(%k.0 * -32 - %k.1 + 69 >= 0)
// CHECK-NOT:       loop.sync
// CHECK:           loop.for thread_bind[threadIdx.x] %k.1 in 32 {
// CHECK-NEXT:        loop.block "B" [%vi: spatial 3, %vk.1: reduce 32] = (%i, %k.1)
// CHECK-NEXT:            reads(%[[OWN]][0 : 1]) writes(%arg1[%vi : 1])
// CHECK-NEXT:            reducer(add, 0.000000e+00) {
// CHECK-NEXT:          loop.init {
// CHECK-NOT:       loop.sync
// CHECK:         return
// GPU-LABEL: gpu.func @one_warp_0
// GPU-NOT:     workgroup
// GPU-NOT:     gpu.barrier
// GPU:         gpu.shuffle xor %{{.*}}, %c16_i32, %c32_i32 : f32
// GPU-NOT:     gpu.barrier
// GPU:         gpu.shuffle xor %{{.*}}, %c8_i32, %c32_i32 : f32
// GPU:         gpu.shuffle xor %{{.*}}, %c4_i32, %c32_i32 : f32
// GPU:         gpu.shuffle xor %{{.*}}, %c2_i32, %c32_i32 : f32
// GPU:         gpu.shuffle xor %{{.*}}, %c1_i32, %c32_i32 : f32
// GPU-NOT:     gpu.{{barrier|shuffle}}
// GPU:         gpu.return
func.func @one_warp(%A: memref<3x70xf32>, %B: memref<3xf32> {loop.result}) attributes {loop.fp = "reassoc"} {
  loop.for thread_bind[blockIdx.x] %i in 3 {
    loop.for serial %k.0 in 3 {
      loop.for thread_bind[threadIdx.x] %k.1 in 32 {
        loop.block "B" [%vi: spatial 3, %vk: reduce 70] = (%i, %k.0 * 32 + %k.1) where(%k.0 * -32 - %k.1 + 69 >= 0)
            reads(%A[%vi : 1, %vk : 1]) writes(%B[%vi : 1]) reducer(add, 0.0) {
          loop.init {
            %z = arith.constant 0.5 : f32
            memref.store %z, %B[%vi] : memref<3xf32>
          }
          %a = memref.load %A[%vi, %vk] : memref<3x70xf32>
          %b = memref.load %B[%vi] : memref<3xf32>
          %c = arith.addf %b, %a : f32
          memref.store %c, %B[%vi] : memref<3xf32>
        }
      }
    }
  }
  return
}

// Eight warps: one element and one barrier for their joined results.
// CHECK-LABEL: func.func @warps
// CHECK-NOT:     scope(shared)
// CHECK:         loop.for thread_bind[blockIdx.x] %block in 1 {
// CHECK:           loop.block "M" [%vk.1: reduce 256] = (%k.1)
// GPU-LABEL: gpu.func @warps_0
// GPU-SAME:      workgroup(%[[CELLS:.*]] : memref<8xi16,
// GPU-COUNT-5: gpu.shuffle
// GPU:         %[[LANE:.*]] = arith.remui %thread_id_x, %c32
// GPU:         %[[FIRST:.*]] = arith.cmpi eq, %[[LANE]], %c0
// GPU:         scf.if %[[FIRST]] {
// GPU:           memref.store %{{.*}}, %[[CELLS]]
// GPU:         gpu.barrier
// GPU:         memref.load %[[CELLS]][%thread_id_x]
// GPU:         } else {
// GPU:           scf.yield %c-32768_i16
// GPU:         gpu.shuffle xor %{{.*}}, %c4_i32, %c32_i32 : i32
// GPU:         gpu.shuffle xor %{{.*}}, %c2_i32, %c32_i32 : i32
// GPU:         gpu.shuffle xor %{{.*}}, %c1_i32, %c32_i32 : i32
// GPU-NOT:     gpu.{{barrier|shuffle}}
// GPU:         gpu.return
func.func @warps(%n: index, %A: memref<?xi16>, %M: memref<1xi16> {loop.result}) {
  loop.for serial %k.0 in affine_map<()[s0] -> (s0 ceildiv 256)>()[%n] {
    loop.for thread_bind[threadIdx.x] %k.1 in 256 {
      loop.block "M" [%vk: reduce %n] = (%k.0 * 256 + %k.1) where(%k.0 * -256 - %k.1 + symbol(%n) - 1 >= 0)
          reads(%A[%vk : 1], %M[0 : 1]) writes(%M[0 : 1]) reducer(max, -32768) {
        %c0 = arith.constant 0 : index
        %a = memref.load %A[%vk] : memref<?xi16>
        %b = memref.load %M[%c0] : memref<1xi16>
        %c = arith.maxsi %b, %a : i16
        memref.store %c, %M[%c0] : memref<1xi16>
      }
    }
  }
  return
}

// One value per thread: no partial reduction is needed, and the block is kept. Surplus threads join the identity.
// CHECK-LABEL: func.func @left
// CHECK-NOT:     loop.buffer
// CHECK:         loop.for thread_bind[threadIdx.x] %k in min
// CHECK-NEXT:      loop.block "B" [%r: reduce %arg0] = (%k)
// GPU-LABEL: gpu.func @left_0
// GPU:         scf.yield %c1_i8
// GPU:         gpu.shuffle xor %{{.*}}, %c4_i32, %c8_i32 : i32
func.func @left(%n: index, %A: memref<?xi8>, %B: memref<1xi8> {loop.result}) {
  loop.for thread_bind[blockIdx.x] %g in 1 {
    loop.for thread_bind[threadIdx.x] %k in min #least()[%n] {
      loop.block "B" [%r: reduce %n] = (%k) reads(%A[%r : 1], %B[0 : 1]) writes(%B[0 : 1]) reducer(mul, 1) {
        %c0 = arith.constant 0 : index
        %a = memref.load %A[%r] : memref<?xi8>
        %b = memref.load %B[%c0] : memref<1xi8>
        %c = arith.muli %b, %a : i8
        memref.store %c, %B[%c0] : memref<1xi8>
      }
    }
  }
  return
}

// A mean by its elements: first each thread creates a partial result, even of one element. Three values are shuffled
// between lanes.
// CHECK-LABEL: func.func @welford
// CHECK-COUNT-3: scope(local) : memref<1xf32>
// CHECK:         loop.block "W_part"
// CHECK:         loop.block "W" [%v: spatial 2, %vk: reduce 64] = (%i, %k)
// GPU-LABEL: gpu.func @welford_0
// GPU-COUNT-18: gpu.shuffle
// GPU-NOT:     gpu.shuffle
func.func @welford(%A: memref<2x64xf32>, %M: memref<2xf32> {loop.result}, %S: memref<2xf32> {loop.result}, %N: memref<2xf32> {loop.result}) attributes {loop.fp = "reassoc"} {
  loop.for thread_bind[blockIdx.x] %i in 2 {
    loop.for thread_bind[threadIdx.x] %k in 64 {
      loop.block "W" [%v: spatial 2, %r: reduce 64] = (%i, %k)
          reads(%A[%v : 1, %r : 1]) writes(%M[%v : 1], %S[%v : 1], %N[%v : 1]) reducer(welford, 0.0, 0.0, 0.0) {
        loop.init {
          %z = arith.constant 0.0 : f32
          memref.store %z, %M[%v] : memref<2xf32>
          memref.store %z, %S[%v] : memref<2xf32>
          memref.store %z, %N[%v] : memref<2xf32>
        }
        %one = arith.constant 1.0 : f32
        %x = memref.load %A[%v, %r] : memref<2x64xf32>
        %mean = memref.load %M[%v] : memref<2xf32>
        %squares = memref.load %S[%v] : memref<2xf32>
        %count = memref.load %N[%v] : memref<2xf32>
        %n = arith.addf %count, %one : f32
        %d = arith.subf %x, %mean : f32
        %step = arith.divf %d, %n : f32
        %m = arith.addf %mean, %step : f32
        %e = arith.subf %x, %m : f32
        %de = arith.mulf %d, %e : f32
        %s = arith.addf %squares, %de : f32
        memref.store %m, %M[%v] : memref<2xf32>
        memref.store %s, %S[%v] : memref<2xf32>
        memref.store %n, %N[%v] : memref<2xf32>
      }
    }
  }
  return
}

// Rows of eight lanes: a warp has several rows. Booleans are i8 in memory.
// CHECK-LABEL: func.func @rows
// CHECK-NOT:     loop.{{buffer|sync}}
// GPU-LABEL: gpu.func @rows_0
// GPU-NOT:     workgroup
// GPU-NOT:     %c8_i32
// GPU:         gpu.shuffle xor %{{.*}}, %c4_i32, %c32_i32 : i32
// GPU:         gpu.shuffle xor %{{.*}}, %c2_i32, %c32_i32 : i32
// GPU:         gpu.shuffle xor %{{.*}}, %c1_i32, %c32_i32 : i32
// GPU:         scf.if
func.func @rows(%A: memref<8x7xi8>, %B: memref<8xi8> {loop.result}) {
  loop.for thread_bind[blockIdx.x] %i in 1 {
    loop.for thread_bind[threadIdx.y] %y in 8 {
      loop.for thread_bind[threadIdx.x] %k in 8 {
        loop.block "B" [%v: spatial 8, %r: reduce 7] = (%y, %k) where(-%k + 6 >= 0)
            reads(%A[%v : 1, %r : 1], %B[%v : 1]) writes(%B[%v : 1]) reducer(and, 1) {
          %a = memref.load %A[%v, %r] : memref<8x7xi8>
          %one = arith.constant 1 : i8
          %p = arith.cmpi sgt, %a, %one : i8
          %b = memref.load %B[%v] : memref<8xi8>
          %q = arith.trunci %b : i8 to i1
          %c = arith.andi %q, %p : i1
          %d = arith.extui %c : i1 to i8
          memref.store %d, %B[%v] : memref<8xi8>
        }
      }
    }
  }
  return
}

// Rows of two warps each: elements for four warps, and the first lanes of each row read those of their row.
// CHECK-LABEL: func.func @rows_of_warps
// GPU-LABEL: gpu.func @rows_of_warps_0
// GPU-SAME:      workgroup(%{{.*}} : memref<4xf64,
// GPU-COUNT-10: gpu.shuffle xor %{{.*}} : i32
// GPU:         gpu.barrier
// GPU-COUNT-2: gpu.shuffle xor %{{.*}}, %c1_i32, %c32_i32 : i32
// GPU-NOT:     gpu.shuffle
func.func @rows_of_warps(%A: memref<3x2x50xf64>, %B: memref<3x2xf64> {loop.result}) attributes {loop.fp = "reassoc"} {
  loop.for thread_bind[blockIdx.x] %i in 3 {
    loop.for thread_bind[threadIdx.y] %y in 2 {
      loop.for thread_bind[threadIdx.x] %k in 64 {
        loop.block "B" [%u: spatial 3, %v: spatial 2, %r: reduce 50] = (%i, %y, %k) where(-%k + 49 >= 0)
            reads(%A[%u : 1, %v : 1, %r : 1]) writes(%B[%u : 1, %v : 1]) reducer(mul, 1.0) {
          loop.init {
            %z = arith.constant 2.0 : f64
            memref.store %z, %B[%u, %v] : memref<3x2xf64>
          }
          %a = memref.load %A[%u, %v, %r] : memref<3x2x50xf64>
          %b = memref.load %B[%u, %v] : memref<3x2xf64>
          %c = arith.mulf %b, %a : f64
          memref.store %c, %B[%u, %v] : memref<3x2xf64>
        }
      }
    }
  }
  return
}

// Two reduction axes, the fastest ones: x and y form one group of 32.
// CHECK-LABEL: func.func @two_axes
// GPU-LABEL: gpu.func @two_axes_0
// GPU-NOT:     workgroup
// GPU-COUNT-5: gpu.shuffle
// GPU-NOT:     gpu.shuffle
func.func @two_axes(%A: memref<4x8xi32>, %B: memref<1xi32> {loop.result}) {
  loop.for thread_bind[blockIdx.x] %g in 1 {
    loop.for thread_bind[threadIdx.y] %y in 4 {
      loop.for thread_bind[threadIdx.x] %x in 8 {
        loop.block "B" [%u: reduce 4, %v: reduce 8] = (%y, %x)
            reads(%A[%u : 1, %v : 1], %B[0 : 1]) writes(%B[0 : 1]) reducer(xor, 0) {
          %c0 = arith.constant 0 : index
          %a = memref.load %A[%u, %v] : memref<4x8xi32>
          %b = memref.load %B[%c0] : memref<1xi32>
          %c = arith.xori %b, %a : i32
          memref.store %c, %B[%c0] : memref<1xi32>
        }
      }
    }
  }
  return
}

// Fewer threads than another loop of the kernel: the group is a part of their axis, and the threads of other groups
// join values that are unused. On the axis without a loop only the first threads have a value.
// CHECK-LABEL: func.func @part_of_an_axis
// GPU-LABEL: gpu.func @part_of_an_axis_0
// GPU:         gpu.barrier
// GPU:         gpu.shuffle xor %{{.*}}, %c4_i32, %c32_i32 : i32
func.func @part_of_an_axis(%A: memref<5xi32>, %B: memref<1xi32> {loop.result}, %C: memref<4x16xi32> {loop.result}) {
  loop.for thread_bind[blockIdx.x] %g in 1 {
    loop.for thread_bind[threadIdx.y] %y in 4 {
      loop.for thread_bind[threadIdx.x] %x in 16 {
        loop.block "C" [%u: spatial 4, %v: spatial 16] = (%y, %x) writes(%C[%u : 1, %v : 1]) {
          %i = arith.index_cast %v : index to i32
          memref.store %i, %C[%u, %v] : memref<4x16xi32>
        }
      }
    }
    loop.sync
    loop.for thread_bind[threadIdx.x] %k in 5 {
      loop.block "B" [%r: reduce 5] = (%k) reads(%A[%r : 1], %B[0 : 1]) writes(%B[0 : 1]) reducer(add, 0) {
        %c0 = arith.constant 0 : index
        %a = memref.load %A[%r] : memref<5xi32>
        %b = memref.load %B[%c0] : memref<1xi32>
        %c = arith.addi %b, %a : i32
        memref.store %c, %B[%c0] : memref<1xi32>
      }
    }
  }
  return
}
