// RUN: lw-opt %s --sched-vectorize='loop=S0:j factor=16' --sched-vectorize=loop=all:i \
// RUN:   --sched-vectorize='loop=wide:i factor=16' --sched-vectorize='loop=tail:i factor=8' \
// RUN:   --sched-vectorize='loop=dynamic:i factor=4' --sched-vectorize='loop=sum:i factor=4' \
// RUN:   --sched-vectorize='loop=one:i factor=4' --sched-vectorize='loop=fused:f factor=4' \
// RUN:   --sched-vectorize=loop=once:i \
// RUN:   --sched-vectorize='loop=odd:i factor=3' --sched-vectorize='loop=seven:i factor=7' \
// RUN:   --sched-vectorize='loop=wider:i factor=33' | FileCheck %s
// CHECK-DAG: #[[MAP0:.+]] = affine_map<()[s0] -> (s0 ceildiv 4)>

// The example of the source document: `vectorize[16]` there is a loop of 16 lanes here.
// CHECK-LABEL: func.func @s0
// CHECK:        loop.for serial %i in 32 {
// CHECK-NEXT:     loop.for serial %j.0 in 2 axis(tile_outer from "j" pair "j.1") {
// CHECK-NEXT:       loop.for vectorize %j.1 in 16 axis(tile_inner from "j" pair "j.0") {
// CHECK-NEXT:         loop.block "S0" [%i0: spatial 32, %i1: spatial 32] = (%i, %j.0 * 16 + %j.1)
func.func @s0(%A: memref<32x32xf32>, %B: memref<32x32xf32>) {
  loop.for serial %i in 32 {
    loop.for serial %j in 32 {
      loop.block "S0" [%i0: spatial 32, %i1: spatial 32] = (%i, %j)
          reads(%A[%i0 : 1, %i1 : 1]) writes(%B[%i0 : 1, %i1 : 1]) {
        %0 = memref.load %A[%i0, %i1] : memref<32x32xf32>
        memref.store %0, %B[%i0, %i1] : memref<32x32xf32>
      }
    }
  }
  return
}

// CHECK-LABEL: func.func @vectorize_all
// CHECK:        loop.for vectorize %i in 8 {
// CHECK-NEXT:     loop.block "all" [%v: spatial 8] = (%i) {
func.func @vectorize_all() {
  loop.for serial %i in 8 { loop.block "all" [%v: spatial 8] = (%i) {} }
  return
}

// CHECK-LABEL: func.func @vectorize_factor_above_extent
// CHECK:        loop.for vectorize %i in 8 {
// CHECK-NEXT:     loop.block "wide" [%v: spatial 8] = (%i) {
func.func @vectorize_factor_above_extent() {
  loop.for serial %i in 8 { loop.block "wide" [%v: spatial 8] = (%i) {} }
  return
}

// CHECK-LABEL: func.func @vectorize_predicate_when_not_divisible
// CHECK:        loop.for serial %i.0 in 4 axis(tile_outer from "i" pair "i.1") {
// CHECK-NEXT:     loop.for vectorize %i.1 in 8 axis(tile_inner from "i" pair "i.0") {
// CHECK-NEXT:       loop.block "tail" [%v: spatial 30] = (%i.0 * 8 + %i.1)
// CHECK-NEXT:           where(%i.0 * -8 - %i.1 + 29 >= 0) {
func.func @vectorize_predicate_when_not_divisible() {
  loop.for serial %i in 30 { loop.block "tail" [%v: spatial 30] = (%i) {} }
  return
}

// CHECK-LABEL: func.func @vectorize_dynamic
// CHECK:        loop.for serial %i.0 in #[[MAP0]]()[%arg0] axis(tile_outer from "i" pair "i.1") {
// CHECK-NEXT:     loop.for vectorize %i.1 in 4 axis(tile_inner from "i" pair "i.0") {
// CHECK-NEXT:       loop.block "dynamic" [%v: spatial %arg0] = (%i.0 * 4 + %i.1)
// CHECK-NEXT:           where(%i.0 * -4 - %i.1 + symbol(%arg0) - 1 >= 0) {
func.func @vectorize_dynamic(%n: index) {
  loop.for serial %i in %n { loop.block "dynamic" [%v: spatial %n] = (%i) {} }
  return
}

// The lanes are separate sums; each runs its own loop.
// CHECK-LABEL: func.func @vectorize_around_reduction
// CHECK:        loop.for serial %i.0 in 2 axis(tile_outer from "i" pair "i.1") {
// CHECK-NEXT:     loop.for vectorize %i.1 in 4 axis(tile_inner from "i" pair "i.0") {
// CHECK-NEXT:       loop.for serial %k in 6 {
// CHECK-NEXT:         loop.block "sum" [%v: spatial 8, %vk: reduce 6] = (%i.0 * 4 + %i.1, %k)
func.func @vectorize_around_reduction(%A: memref<8x6xf32>, %B: memref<8xf32>) {
  loop.for serial %i in 8 {
    loop.for serial %k in 6 {
      loop.block "sum" [%v: spatial 8, %vk: reduce 6] = (%i, %k)
          reads(%A[%v : 1, %vk : 1]) writes(%B[%v : 1]) reducer(add, 0.0) {
        loop.init {
          %zero = arith.constant 0.0 : f32
          memref.store %zero, %B[%v] : memref<8xf32>
        }
        %a = memref.load %A[%v, %vk] : memref<8x6xf32>
        %b = memref.load %B[%v] : memref<8xf32>
        %s = arith.addf %b, %a : f32
        memref.store %s, %B[%v] : memref<8xf32>
      }
    }
  }
  return
}

// Two blocks that share no written buffer.
// CHECK-LABEL: func.func @vectorize_independent_blocks
// CHECK:        loop.for serial %i.0 in 2 axis(tile_outer from "i" pair "i.1") {
// CHECK-NEXT:     loop.for vectorize %i.1 in 4 axis(tile_inner from "i" pair "i.0") {
// CHECK-NEXT:       loop.block "one" [%v: spatial 8] = (%i.0 * 4 + %i.1)
// CHECK:            loop.block "two" [%v: spatial 8] = (%i.0 * -4 - %i.1 + 7)
func.func @vectorize_independent_blocks(%A: memref<8xf32>, %B: memref<8xf32>, %C: memref<8xf32>) {
  loop.for serial %i in 8 {
    loop.block "one" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%B[%v : 1]) {
      %a = memref.load %A[%v] : memref<8xf32>
      memref.store %a, %B[%v] : memref<8xf32>
    }
    loop.block "two" [%v: spatial 8] = (7 - %i) reads(%A[%v : 1]) writes(%C[%v : 1]) {
      %a = memref.load %A[%v] : memref<8xf32>
      memref.store %a, %C[%v] : memref<8xf32>
    }
  }
  return
}

// CHECK-LABEL: func.func @vectorize_fused
// CHECK:        loop.for serial %f.0 in 8 axis(tile_outer from "f" pair "f.1") {
// CHECK-NEXT:     loop.for vectorize %f.1 in 4 axis(tile_inner from "f" pair "f.0") {
// CHECK-NEXT:       loop.block "fused" [%v: spatial 4, %w: spatial 8] = (%f.0 floordiv 2, %f.1 + (%f.0 mod 2) * 4) {
func.func @vectorize_fused() {
  loop.for serial %f in 32 {
    loop.block "fused" [%v: spatial 4, %w: spatial 8] = (%f floordiv 8, %f mod 8) {}
  }
  return
}

// A single iteration cannot conflict with itself.
// CHECK-LABEL: func.func @vectorize_one_iteration
// CHECK:        loop.for vectorize %i in 1 {
// CHECK-NEXT:     loop.block "once" [%v: spatial 1] = (0)
func.func @vectorize_one_iteration(%A: memref<4xf32>) {
  loop.for serial %i in 1 {
    loop.block "once" [%v: spatial 1] = (0) reads(%A[%v + 1 : 1]) writes(%A[%v : 1]) {
      %next = affine.apply affine_map<(d0) -> (d0 + 1)>(%v)
      %a = memref.load %A[%next] : memref<4xf32>
      memref.store %a, %A[%v] : memref<4xf32>
    }
  }
  return
}

// Any number of lanes; surplus lanes are masked.
// CHECK-LABEL: func.func @vectorize_odd_widths
// CHECK:        loop.for serial %i.0 in 10
// CHECK-NEXT:     loop.for vectorize %i.1 in 3
// CHECK-NEXT:       loop.block "odd" [%v: spatial 30] = (%i.0 * 3 + %i.1) {
// CHECK:        loop.for serial %i.0 in 5
// CHECK-NEXT:     loop.for vectorize %i.1 in 7
// CHECK-NEXT:       loop.block "seven" [%v: spatial 30] = (%i.0 * 7 + %i.1)
// CHECK-NEXT:           where(%i.0 * -7 - %i.1 + 29 >= 0) {
// CHECK:        loop.for serial %i.0 in #{{.*}}()[%arg0]
// CHECK-NEXT:     loop.for vectorize %i.1 in 33
// CHECK-NEXT:       loop.block "wider" [%v: spatial %arg0] = (%i.0 * 33 + %i.1)
// CHECK-NEXT:           where(%i.0 * -33 - %i.1 + symbol(%arg0) - 1 >= 0) {
func.func @vectorize_odd_widths(%n: index) {
  loop.for serial %i in 30 { loop.block "odd" [%v: spatial 30] = (%i) {} }
  loop.for serial %i in 30 { loop.block "seven" [%v: spatial 30] = (%i) {} }
  loop.for serial %i in %n { loop.block "wider" [%v: spatial %n] = (%i) {} }
  return
}
