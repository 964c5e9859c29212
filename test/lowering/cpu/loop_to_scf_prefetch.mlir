// RUN: lw-opt %s --convert-loop-to-scf=vector-bits=512 -split-input-file -verify-diagnostics | FileCheck %s

// A row of two cache lines: two prefetches, for the row after the next. The existence of that row is not tested.
// CHECK-LABEL: func.func @lines
// CHECK:        scf.for %[[I:.*]] =
// CHECK-NEXT:     %[[C2:.*]] = arith.constant 2
// CHECK-NEXT:     %[[ROW:.*]] = arith.addi %[[I]], %[[C2]]
// CHECK-NEXT:     %[[ZERO:.*]] = arith.constant 0
// CHECK-NEXT:     memref.prefetch %arg0[%[[ROW]], %[[ZERO]]], read, locality<3>, data
// CHECK:          %[[C16:.*]] = arith.constant 16
// CHECK-NEXT:     memref.prefetch %arg0[%{{.*}}, %[[C16]]], read, locality<3>, data
// CHECK-NOT:      memref.prefetch
// CHECK:          scf.for
func.func @lines(%A: memref<64x32xf32> {loop.name = "A"}, %B: memref<64x32xf32>) {
  loop.for serial %i in 64 attributes {loop.annotations = {prefetch.A = 2}} {
    loop.for serial %j in 32 {
      loop.block "B" [%v: spatial 64, %w: spatial 32] = (%i, %j) reads(%A[%v : 1, %w : 1]) writes(%B[%v : 1, %w : 1]) {
        %a = memref.load %A[%v, %w] : memref<64x32xf32>
        memref.store %a, %B[%v, %w] : memref<64x32xf32>
      }
    }
  }
  return
}

// -----

// Dynamic sizes: a loop over cache lines. The inner loop has vectors.
// CHECK-LABEL: func.func @dynamic
// CHECK:        scf.for %[[I:.*]] =
// CHECK:          %[[LINES:.*]] = arith.divui %dim{{.*}}, %c16
// CHECK:          scf.for %[[L:.*]] = %{{.*}} to %[[LINES]]
// CHECK:            %[[ROW:.*]] = arith.addi %[[I]]
// CHECK-NEXT:     %[[C16:.*]] = arith.constant 16
// CHECK-NEXT:     %[[AT:.*]] = arith.muli %[[L]], %[[C16]]
// CHECK-NEXT:       memref.prefetch %arg0[%[[ROW]], %[[AT]]], read
// CHECK:          vector.load
func.func @dynamic(%A: memref<?x?xf32> {loop.name = "A"}, %B: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %A, %c0 : memref<?x?xf32>
  %m = memref.dim %A, %c1 : memref<?x?xf32>
  loop.for serial %i in %n attributes {loop.annotations = {prefetch.A = 1}} {
    loop.for serial %j in affine_map<()[s0] -> (s0 floordiv 16)>()[%m] {
      loop.for vectorize %k in 16 {
        loop.block "B" [%v: spatial %n, %w: spatial %m] = (%i, %j * 16 + %k) reads(%A[%v : 1, %w : 1]) writes(%B[%v : 1, %w : 1]) {
          %a = memref.load %A[%v, %w] : memref<?x?xf32>
          memref.store %a, %B[%v, %w] : memref<?x?xf32>
        }
      }
    }
  }
  return
}

// -----

// Contiguous rows of 4 f32: a cache line has four of them. Three loads have one box of three rows.
// CHECK-LABEL: func.func @short_rows
// CHECK:        scf.for
// CHECK:          memref.prefetch %arg0
// CHECK-NOT:      memref.prefetch
// CHECK-COUNT-3:  memref.prefetch %arg1
// CHECK-NOT:      memref.prefetch
func.func @short_rows(%A: memref<32x4xf32> {loop.name = "A"}, %W: memref<10x16xf32> {loop.name = "W"}, %B: memref<8x16xf32>) {
  loop.for serial %i in 8 attributes {loop.annotations = {prefetch.A = 4, prefetch.W = 1}} {
    loop.for serial %j in 16 {
      loop.block "B" [%v: spatial 8, %w: spatial 16] = (%i, %j)
          reads(%A[%v * 4 + %w floordiv 4 : 1, %w mod 4 : 1], %W[%v : 3, %w : 1]) writes(%B[%v : 1, %w : 1]) {
        %r = affine.apply affine_map<(d0, d1) -> (d0 * 4 + d1 floordiv 4)>(%v, %w)
        %c = affine.apply affine_map<(d0) -> (d0 mod 4)>(%w)
        %1 = affine.apply affine_map<(d0) -> (d0 + 1)>(%v)
        %2 = affine.apply affine_map<(d0) -> (d0 + 2)>(%v)
        %a = memref.load %A[%r, %c] : memref<32x4xf32>
        %x = memref.load %W[%v, %w] : memref<10x16xf32>
        %y = memref.load %W[%1, %w] : memref<10x16xf32>
        %z = memref.load %W[%2, %w] : memref<10x16xf32>
        %s = arith.addf %a, %x : f32
        %t = arith.addf %s, %y : f32
        %u = arith.addf %t, %z : f32
        memref.store %u, %B[%v, %w] : memref<8x16xf32>
      }
    }
  }
  return
}

// -----

// What is read after 300 iterations, of 128 bytes each, goes to the second-level cache. The buffer is named by its position among
// those that the loop reads.
// CHECK-LABEL: func.func @far
// CHECK:         memref.prefetch %arg1[%{{.*}}, %{{.*}}], read, locality<2>, data
// CHECK:         memref.prefetch %arg1[%{{.*}}, %{{.*}}], read, locality<2>, data
// CHECK-NOT:     memref.prefetch
func.func @far(%A: memref<64x32xf32>, %B: memref<64x32xf32>, %C: memref<64x32xf32>) {
  loop.for serial %i in 64 attributes {loop.annotations = {prefetch_read.1 = 300}} {
    loop.for serial %j in 32 {
      loop.block "C" [%v: spatial 64, %w: spatial 32] = (%i, %j) reads(%A[%v : 1, %w : 1], %B[%v : 1, %w : 1]) writes(%C[%v : 1, %w : 1]) {
        %a = memref.load %A[%v, %w] : memref<64x32xf32>
        %b = memref.load %B[%v, %w] : memref<64x32xf32>
        %c = arith.addf %a, %b : f32
        memref.store %c, %C[%v, %w] : memref<64x32xf32>
      }
    }
  }
  return
}

// -----

// Requests that cannot be fulfilled get a remark.
// CHECK-LABEL: func.func @none
// CHECK-NOT:     memref.prefetch
func.func @none(%A: memref<64xf32> {loop.name = "A"}, %B: memref<64xf32> {loop.name = "B"}) {
  // expected-remark @+3 {{no prefetch of "A": iterations of loop "i" run concurrently, expected a loop whose iterations run one after the other, and in no loop of threads or lanes}}
  // expected-remark @+2 {{no prefetch of "Q": there is no such buffer}}
  // expected-remark @+1 {{no prefetch of buffer 7 of those that the loop reads: there is no such buffer}}
  loop.for parallel %i in 64 attributes {loop.annotations = {prefetch.A = 2, prefetch.Q = 1, prefetch_read.7 = 1}} {
    loop.block "B" [%v: spatial 64] = (%i) reads(%A[%v : 1]) writes(%B[%v : 1]) {
      %a = memref.load %A[%v] : memref<64xf32>
      memref.store %a, %B[%v] : memref<64xf32>
    }
  }
  return
}
