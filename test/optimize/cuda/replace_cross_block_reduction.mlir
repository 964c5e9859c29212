// RUN: lw-opt %s --replace-cross-block-reduction --verify-each=numeric --pass-report 2>%t.report | FileCheck %s
// RUN: FileCheck %s --check-prefix=REPORT <%t.report
// RUN: lw-opt %s --replace-cross-block-reduction --replace-cross-block-reduction >%t.twice
// RUN: lw-opt %s --replace-cross-block-reduction | diff - %t.twice
// RUN: lw-opt %s --verify-each=numeric --replace-cross-block-reduction --replace-cross-thread-reduction \
// RUN:   --convert-loop-to-gpu | FileCheck %s --check-prefix=GPU
// REPORT: replace-cross-block-reduction  @total {{.*}} changed, 1 reductions
// REPORT: replace-cross-block-reduction  @columns {{.*}} changed, 1 reductions
// REPORT: replace-cross-block-reduction  @two_axes {{.*}} changed, 2 reductions

#rows = affine_map<()[s0] -> (s0 ceildiv 5)>

// All elements, by three thread blocks of five threads each. Threads of another kernel join their partial results.
// CHECK-LABEL: func.func @total
// CHECK:         %rf_arg1 = loop.buffer "rf_arg1" scope(global) : memref<3x1xf32>
// CHECK-NEXT:    loop.for thread_bind[blockIdx.x] %rf_b in 3 {
// CHECK-NEXT:      loop.for serial %k.0 in 3 {
// CHECK-NEXT:        loop.for thread_bind[threadIdx.x] %k.1 in 5 {
// CHECK-NEXT:          loop.block "rf_B" [%v: spatial 1, %r.0: spatial 3, %r.1: reduce 3, %r.2: reduce 5] = (0, %rf_b, %k.0, %k.1)
// CHECK:         {{^    }}loop.for thread_bind[threadIdx.x] %b in 3 {
// CHECK-NEXT:      loop.block "B" [%v: spatial 1, %r.0: reduce 3] = (0, %b)
// GPU:           gpu.launch_func @kernels::@total_0 blocks in (%c3
// GPU:           gpu.launch_func @kernels::@total_1
func.func @total(%A: memref<37xf32>, %B: memref<1xf32> {loop.result}) attributes {loop.fp = "reassoc"} {
  loop.for thread_bind[blockIdx.x] %b in 3 {
    loop.for serial %k.0 in 3 {
      loop.for thread_bind[threadIdx.x] %k.1 in 5 {
        loop.block "B" [%v: spatial 1, %r: reduce 37] = (0, %b * 15 + %k.0 * 5 + %k.1)
            where(%b * -15 - %k.0 * 5 - %k.1 + 36 >= 0)
            reads(%A[%r : 1]) writes(%B[%v : 1]) reducer(add, 0.0) {
          loop.init {
            %z = arith.constant 1.0 : f32
            memref.store %z, %B[%v] : memref<1xf32>
          }
          %a = memref.load %A[%r] : memref<37xf32>
          %s = memref.load %B[%v] : memref<1xf32>
          %c = arith.addf %s, %a : f32
          memref.store %c, %B[%v] : memref<1xf32>
        }
      }
    }
  }
  return
}

// Columns, and a thread block for each five rows of one: their number is dynamic, so that one thread joins.
// CHECK-LABEL: func.func @columns
// CHECK:         loop.for thread_bind[blockIdx.y] %rf_y in
// CHECK-NEXT:      loop.for thread_bind[blockIdx.x] %j in 7 {
// CHECK-NEXT:        loop.for serial %k in 5 {
// CHECK-NEXT:          loop.block "rf_B"
// CHECK:         {{^    }}loop.for thread_bind[blockIdx.x] %j in 7 {
// CHECK-NEXT:      loop.for serial %y in
// CHECK-NEXT:        loop.block "B"
func.func @columns(%n: index, %A: memref<?x7xi64>, %B: memref<7xi64> {loop.result}) {
  loop.for thread_bind[blockIdx.x] %j in 7 {
    loop.for thread_bind[blockIdx.y] %y in #rows()[%n] {
      loop.for serial %k in 5 {
        loop.block "B" [%v: spatial 7, %r: reduce %n] = (%j, %y * 5 + %k) where(%y * -5 - %k + symbol(%n) - 1 >= 0)
            reads(%A[%r : 1, %v : 1]) writes(%B[%v : 1]) reducer(add, 0) {
          loop.init {
            %z = arith.constant 0 : i64
            memref.store %z, %B[%v] : memref<7xi64>
          }
          %a = memref.load %A[%r, %v] : memref<?x7xi64>
          %s = memref.load %B[%v] : memref<7xi64>
          %c = arith.addi %s, %a : i64
          memref.store %c, %B[%v] : memref<7xi64>
        }
      }
    }
  }
  return
}

// Blocks of both axes, one after the other.
// CHECK-LABEL: func.func @two_axes
// CHECK:         loop.for thread_bind[blockIdx.y] %rf_y in 3
// CHECK:         loop.block "B"
func.func @two_axes(%A: memref<4x3xi32>, %B: memref<1xi32> {loop.result}) {
  loop.for thread_bind[blockIdx.x] %x in 4 {
    loop.for thread_bind[blockIdx.y] %y in 3 {
      loop.block "B" [%u: spatial 1, %v: reduce 4, %w: reduce 3] = (0, %x, %y)
          reads(%A[%v : 1, %w : 1]) writes(%B[%u : 1]) reducer(min, 2147483647) {
        loop.init {
          %z = arith.constant 5 : i32
          memref.store %z, %B[%u] : memref<1xi32>
        }
        %a = memref.load %A[%v, %w] : memref<4x3xi32>
        %s = memref.load %B[%u] : memref<1xi32>
        %c = arith.minsi %s, %a : i32
        memref.store %c, %B[%u] : memref<1xi32>
      }
    }
  }
  return
}
