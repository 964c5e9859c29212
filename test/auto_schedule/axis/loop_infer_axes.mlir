// RUN: lw-opt %s '--sched-split=loop=C:i factors=-1,8' '--sched-reorder=loops=C:i.0,C:j,C:i.1' '--sched-parallel=loop=C:i.0' '--sched-vectorize=loop=C:i.1' --loop-infer-axes | FileCheck %s
// RUN: lw-opt %s --loop-infer-axes | lw-opt | FileCheck %s --check-prefix=WRITTEN
// RUN: lw-opt %s --loop-infer-axes '--sched-split=loop=C:i factors=-1,8' | FileCheck %s --check-prefix=STEP
// RUN: lw-opt %s --loop-infer-axes --ir-simplify | FileCheck %s --check-prefix=STEP
// RUN: lw-opt %s --loop-infer-axes 2>&1 >/dev/null | FileCheck %s --check-prefix=WARN

// The type of the outer half becomes that of a block split, because it is distributed over cores.
// CHECK: func.func @main({{.*}}) attributes {loop.axes}
// CHECK: loop.for parallel %i.0 in 4 axis(block_outer from "i" pair "i.1") {
// CHECK-NEXT: loop.for serial %j in 16 {
// CHECK-NEXT: loop.for vectorize %i.1 in 8 axis(block_inner from "i" pair "i.0") {
// CHECK: attributes {loop.axes = {loop_axis = "j", sched_axis = ["i.0", "j", "i.1"], vectorized_axis = {{\[\[}}"i.0", "j", "i.1"]], vectorized_stride = {{\[\[}}128, 1, 16]]}}

// WRITTEN: [[$ROW:#map]] = affine_map<()[s0, s1] -> (s1)>
// Loops that were written without axes get them from the binding.
// WRITTEN: loop.for serial %a in 4 axis(tile_outer from "v" pair "b") {
// WRITTEN-NEXT: loop.for serial %b in 8 axis(tile_inner from "v" pair "a") {
// WRITTEN: vectorized_axis = {{\[\[}}"a", "b"]], vectorized_stride = {{\[\[}}8, 1]]
// The rows of the buffer have a size that is known at run time only.
// WRITTEN: vectorized_axis = {{\[\[}}"i", "j"]], vectorized_stride = {{\[\[}}[[$ROW]], 1]]

// A step or a pass that may change loops drops what is stated.
// STEP-NOT: loop.axes
// STEP: func.func @written

// WARN: warning: the nest has no axes: W:v is bound to i * 2 + j, which is no split or merge of loops: j takes 3 values, the axis has 2

func.func @main(%A: memref<32x16xf32>, %C: memref<32x16xf32>) {
  loop.for serial %i in 32 {
    loop.for serial %j in 16 {
      loop.block "C" [%vi: spatial 32, %vj: spatial 16] = (%i, %j) reads(%A[%vi : 1, %vj : 1]) writes(%C[%vi : 1, %vj : 1]) {
        %a = memref.load %A[%vi, %vj] : memref<32x16xf32>
        memref.store %a, %C[%vi, %vj] : memref<32x16xf32>
      }
    }
  }
  return
}

func.func @written(%D: memref<32xf32>) {
  loop.for serial %a in 4 {
    loop.for serial %b in 8 {
      loop.block "D" [%v: spatial 32] = (%a * 8 + %b) writes(%D[%v : 1]) {
        %zero = arith.constant 0.0 : f32
        memref.store %zero, %D[%v] : memref<32xf32>
      }
    }
  }
  return
}

func.func @dynamic(%E: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.dim %E, %c0 : memref<?x?xf32>
  %n = memref.dim %E, %c1 : memref<?x?xf32>
  loop.for serial %i in %m {
    loop.for serial %j in %n {
      loop.block "E" [%vi: spatial %m, %vj: spatial %n] = (%i, %j) writes(%E[%vi : 1, %vj : 1]) {
        %zero = arith.constant 0.0 : f32
        memref.store %zero, %E[%vi, %vj] : memref<?x?xf32>
      }
    }
  }
  return
}

func.func @window(%W: memref<9xf32>) {
  loop.for serial %i in 4 {
    loop.for serial %j in 3 {
      loop.block "W" [%v: spatial 9] = (%i * 2 + %j) writes(%W[%v : 1]) {
        %zero = arith.constant 0.0 : f32
        memref.store %zero, %W[%v] : memref<9xf32>
      }
    }
  }
  return
}
