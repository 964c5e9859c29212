// Requirements of functions that are written in loop form. Size i is symbol i.
// RUN: lw-opt %s --require-bounds | FileCheck %s
// The columns of the source fit into the rows of the result, if the source has rows; and the other way round.
// CHECK-DAG: #[[ROWS:.+]] = affine_set<()[s0, s1, s2, s3] : (s0 - 1 >= 0)>
// CHECK-DAG: #[[COLUMNS:.+]] = affine_set<()[s0, s1, s2, s3] : (s1 - 1 >= 0)>
// CHECK-DAG: #[[FIT0:.+]] = affine_set<()[s0, s1, s2, s3] : (-s1 + s2 >= 0)>
// CHECK-DAG: #[[FIT1:.+]] = affine_set<()[s0, s1, s2, s3] : (-s0 + s3 >= 0)>
// CHECK: func.func @transpose({{.*}} attributes {loop.requires_if = {{\[\[}}#[[ROWS]], #[[FIT0]]], [#[[COLUMNS]], #[[FIT1]]]]}
func.func @transpose(%A: memref<?x?xf32>, %B: memref<?x?xf32> {loop.result}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %A, %c0 : memref<?x?xf32>
  %m = memref.dim %A, %c1 : memref<?x?xf32>
  loop.for serial %i in %n {
    loop.for serial %j in %m {
      loop.block "T" [%vi: spatial %n, %vj: spatial %m] = (%i, %j) reads(%A[%vi : 1, %vj : 1]) writes(%B[%vj : 1, %vi : 1]) {
        %x = memref.load %A[%vi, %vj] : memref<?x?xf32>
        memref.store %x, %B[%vj, %vi] : memref<?x?xf32>
      }
    }
  }
  return
}

// A requirement that the result's own shape states is not stated again.
// CHECK: func.func @of_result(%{{.*}}: memref<?xf32>, %{{.*}}: memref<?xf32>, %{{.*}}: memref<?xf32> {loop.result = {{.*}}}) attributes {loop.requires = #{{[a-z0-9]+}}} {
func.func @of_result(%A: memref<?xf32>, %B: memref<?xf32>, %C: memref<?xf32> {loop.result = {shape = affine_map<()[s0] -> (s0)>, from = [array<i64: 0, 0>]}}) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %A, %c0 : memref<?xf32>
  loop.for serial %i in %n {
    loop.block "C" [%v: spatial %n] = (%i) reads(%A[%v : 1], %B[%v : 1]) writes(%C[%v : 1]) {
      %x = memref.load %A[%v] : memref<?xf32>
      %y = memref.load %B[%v] : memref<?xf32>
      %z = arith.addf %x, %y : f32
      memref.store %z, %C[%v] : memref<?xf32>
    }
  }
  return
}

// One loop: no premise is needed, because the condition holds for an empty loop. Indices may descend, and have an offset.
// CHECK: func.func @reversed({{.*}} attributes {loop.requires = #{{.*}}}
func.func @reversed(%A: memref<?xf32>, %B: memref<?xf32> {loop.result}) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %A, %c0 : memref<?xf32>
  loop.for serial %i in %n {
    loop.block "R" [%v: spatial %n] = (%i) reads(%A[%v : 1]) writes(%B[-%v + symbol(%n) - 1 : 1]) {
      %x = memref.load %A[%v] : memref<?xf32>
      %at = affine.apply affine_map<(d0)[s0] -> (-d0 + s0 - 1)>(%v)[%n]
      memref.store %x, %B[%at] : memref<?xf32>
    }
  }
  return
}

// What follows from other requirements is not stated again: B has the size of A.
// CHECK: func.func @stated({{.*}} attributes {loop.requires = #{{[a-z0-9]+}}} {
func.func @stated(%A: memref<?xf32>, %B: memref<?xf32>) attributes {loop.requires = affine_set<()[s0, s1] : (s0 - s1 == 0)>} {
  %c0 = arith.constant 0 : index
  %n = memref.dim %A, %c0 : memref<?xf32>
  loop.for serial %i in %n {
    loop.block "C" [%v: spatial %n] = (%i) reads(%A[%v : 1]) writes(%B[%v : 1]) {
      %x = memref.load %A[%v] : memref<?xf32>
      memref.store %x, %B[%v] : memref<?xf32>
    }
  }
  return
}

// Nothing is required of an access under a condition (C1), of a block with a predicate (C1), of one that runs on a part of
// its domain (C2), or at an index that data determine (C4).
// CHECK: func.func @unknown(%{{.*}}: memref<?xf32>, %{{.*}}: memref<?xf32>, %{{.*}}: memref<8xi64>) {
func.func @unknown(%A: memref<?xf32>, %B: memref<?xf32>, %P: memref<8xi64>) {
  loop.for serial %i in 8 {
    loop.block "C" [%v: spatial 8] = (%i) reads(%A[%v : 1], %P[%v : 1]) writes(%B[*]) {
      %c0 = arith.constant 0 : index
      %n = memref.dim %A, %c0 : memref<?xf32>
      loop.if (symbol(%n) - %v - 1 >= 0) {
        %x = memref.load %A[%v] : memref<?xf32>
        %k = memref.load %P[%v] : memref<8xi64>
        %at = arith.index_cast %k : i64 to index
        memref.store %x, %B[%at] : memref<?xf32>
      }
    }
  }
  loop.for serial %i in 8 {
    loop.block "P" [%v: spatial 20] = (%i) reads(%A[%v : 1]) writes(%B[%v : 1]) {
      %x = memref.load %A[%v] : memref<?xf32>
      memref.store %x, %B[%v] : memref<?xf32>
    }
  }
  return
}
