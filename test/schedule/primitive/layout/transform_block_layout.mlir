// RUN: lw-opt %s --sched-transform-block-layout='block=B index_map="(i, j) -> (i * 8 + j floordiv 8, j mod 8)"' \
// RUN:   --sched-transform-block-layout='block=D index_map="(i, j)[n, m] -> (i * m + j)"' \
// RUN:   --sched-transform-block-layout='block=S index_map="(i, k) -> (k floordiv 4, i, k mod 4)"' | FileCheck %s
// RUN: lw-opt %s --transform-interpreter | FileCheck %s

// CHECK-DAG: #[[ROW:.+]] = affine_map<(d0) -> (d0 floordiv 8)>
// CHECK-DAG: #[[COLUMN:.+]] = affine_map<(d0, d1) -> (d0 + (d1 mod 8) * 8)>
// CHECK-DAG: #[[AREA:.+]] = affine_map<()[s0, s1] -> (s0 * s1)>
// CHECK-DAG: #[[QUOTIENT:.+]] = affine_map<(d0)[s0] -> (d0 floordiv s0)>
// CHECK-DAG: #[[REST:.+]] = affine_map<(d0)[s0] -> (d0 mod s0)>
module attributes {transform.with_named_sequence} {
// Digits of a mixed-radix number.
// CHECK-LABEL: func.func @digits
// CHECK:        loop.for serial %ax0 in 240 {
// CHECK-NEXT:     loop.for serial %ax1 in 8 {
// CHECK-NEXT:       loop.block "B" [%v0: spatial 240, %v1: spatial 8] = (%ax0, %ax1)
// CHECK-NEXT:           reads(%arg0[%v0 floordiv 8 : 1, %v1 + (%v0 mod 8) * 8 : 1])
// CHECK:              %[[I:.*]] = affine.apply #[[ROW]](%v0)
// CHECK:              %[[J:.*]] = affine.apply #[[COLUMN]](%v1, %v0)
// CHECK:              memref.load %arg0[%[[I]], %[[J]]]
  func.func @digits(%A: memref<30x64xf32>, %B: memref<30x64xf32>) {
    loop.for serial %i in 30 {
      loop.for serial %j in 64 {
        loop.block "B" [%v: spatial 30, %w: spatial 64] = (%i, %j) reads(%A[%v : 1, %w : 1]) writes(%B[%v : 1, %w : 1]) {
          %a = memref.load %A[%v, %w] : memref<30x64xf32>
          memref.store %a, %B[%v, %w] : memref<30x64xf32>
        }
      }
    }
    return
  }

// Sizes as weights: in the condition and in the index value too.
// CHECK-LABEL: func.func @sizes
// CHECK:        loop.for serial %ax0 in #[[AREA]]()[%dim, %dim_0] {
// CHECK-NEXT:     loop.block "D" [%v0: spatial symbol(%dim) * symbol(%dim_0)] = (%ax0)
// CHECK:            %[[W:.*]] = affine.apply #[[REST]](%v0)[%dim_0]
// CHECK-NEXT:       %[[X:.*]] = arith.index_cast %[[W]] : index to i32
// CHECK-NEXT:       %[[I:.*]] = affine.apply #[[QUOTIENT]](%v0)[%dim_0]
// CHECK-NEXT:       %[[J:.*]] = affine.apply #[[REST]](%v0)[%dim_0]
// CHECK-NEXT:       memref.store %[[X]], %arg0[%[[I]], %[[J]]]
  func.func @sizes(%D: memref<?x?xi32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %n = memref.dim %D, %c0 : memref<?x?xi32>
    %m = memref.dim %D, %c1 : memref<?x?xi32>
    loop.for serial %i in %n {
      loop.for serial %j in %m {
        loop.block "D" [%v: spatial %n, %w: spatial %m] = (%i, %j) writes(%D[%v : 1, %w : 1]) {
          %a = arith.index_cast %w : index to i32
          memref.store %a, %D[%v, %w] : memref<?x?xi32>
        }
      }
    }
    return
  }

// A reduction of integers, whose steps may be in any order; an iter that is passed through keeps its name.
// CHECK-LABEL: func.func @reduction
// CHECK:        loop.for serial %ax0 in 4 {
// CHECK-NEXT:     loop.for serial %i in 8 {
// CHECK-NEXT:       loop.for serial %ax2 in 4 {
// CHECK-NEXT:         loop.block "S" [%v0: reduce 4, %v: spatial 8, %v2: reduce 4] = (%ax0, %i, %ax2)
// CHECK-NEXT:             reads(%arg0[%v : 1, %v0 * 4 + %v2 : 1]) writes(%arg1[%v : 1])
// CHECK-NEXT:             reducer(add, 0) attributes {loop.annotations = {note = 1 : i64}} {
// CHECK-NEXT:           loop.init {
// CHECK:                  memref.store %{{.*}}, %arg1[%v]
  func.func @reduction(%A: memref<8x16xi32>, %S: memref<8xi32>) {
    loop.for serial %i in 8 {
      loop.for serial %k in 16 {
        loop.block "S" [%v: spatial 8, %vk: reduce 16] = (%i, %k) reads(%A[%v : 1, %vk : 1]) writes(%S[%v : 1])
            reducer(add, 0) attributes {loop.annotations = {note = 1}} {
          loop.init {
            %zero = arith.constant 0 : i32
            memref.store %zero, %S[%v] : memref<8xi32>
          }
          %a = memref.load %A[%v, %vk] : memref<8x16xi32>
          %s = memref.load %S[%v] : memref<8xi32>
          %t = arith.addi %s, %a : i32
          memref.store %t, %S[%v] : memref<8xi32>
        }
      }
    }
    return
  }

  transform.named_sequence @__transform_main(%f: !transform.any_op) {
    transform.sched.transform_block_layout "B" in %f index_map "(i, j) -> (i * 8 + j floordiv 8, j mod 8)"
    transform.sched.transform_block_layout "D" in %f index_map "(i, j)[n, m] -> (i * m + j)"
    transform.sched.transform_block_layout "S" in %f index_map "(i, k) -> (k floordiv 4, i, k mod 4)"
    transform.yield
  }
}
