// RUN: lw-opt %s --transpose-in-registers | FileCheck %s
// RUN: lw-opt %s --transpose-in-registers=vector-bits=128 | FileCheck %s --check-prefix=NARROW

// Pairs of rows are interleaved, and then pairs of pairs.
// CHECK-LABEL: func.func @square
// CHECK-DAG:     %[[A:.*]] = vector.load %arg0[%c0{{.*}}, %arg2] : memref<8x64xf32>, vector<4xf32>
// CHECK-DAG:     %[[B:.*]] = vector.load %arg0[%c1{{.*}}, %arg2] : memref<8x64xf32>, vector<4xf32>
// CHECK-DAG:     %[[C:.*]] = vector.load %arg0[%c2{{.*}}, %arg2] : memref<8x64xf32>, vector<4xf32>
// CHECK-DAG:     %[[D:.*]] = vector.load %arg0[%c3{{.*}}, %arg2] : memref<8x64xf32>, vector<4xf32>
// CHECK-NEXT:    %[[ABL:.*]] = vector.shuffle %[[A]], %[[B]] [0, 4, 1, 5]
// CHECK-NEXT:    %[[ABH:.*]] = vector.shuffle %[[A]], %[[B]] [2, 6, 3, 7]
// CHECK-NEXT:    %[[CDL:.*]] = vector.shuffle %[[C]], %[[D]] [0, 4, 1, 5]
// CHECK-NEXT:    %[[CDH:.*]] = vector.shuffle %[[C]], %[[D]] [2, 6, 3, 7]
// CHECK-NEXT:    %[[V0:.*]] = vector.shuffle %[[ABL]], %[[CDL]] [0, 1, 4, 5]
// CHECK-NEXT:    %[[V1:.*]] = vector.shuffle %[[ABL]], %[[CDL]] [2, 3, 6, 7]
// CHECK-NEXT:    %[[V2:.*]] = vector.shuffle %[[ABH]], %[[CDH]] [0, 1, 4, 5]
// CHECK-NEXT:    %[[V3:.*]] = vector.shuffle %[[ABH]], %[[CDH]] [2, 3, 6, 7]
// CHECK-NEXT:    vector.store %[[V0]], %arg1[%arg2, %c0{{.*}}]
// CHECK:         vector.store %[[V1]], %arg1[
// CHECK:         vector.store %[[V2]], %arg1[
// CHECK:         vector.store %[[V3]], %arg1[
// CHECK-NOT:     memref.load
func.func @square(%A: memref<8x64xf32>, %C: memref<64x8xf32>, %j: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %l0_0 = memref.load %A[%c0, %j] : memref<8x64xf32>
  %l0_1 = memref.load %A[%c1, %j] : memref<8x64xf32>
  %l0_2 = memref.load %A[%c2, %j] : memref<8x64xf32>
  %l0_3 = memref.load %A[%c3, %j] : memref<8x64xf32>
  %v0 = vector.from_elements %l0_0, %l0_1, %l0_2, %l0_3 : vector<4xf32>
  vector.store %v0, %C[%j, %c0] : memref<64x8xf32>, vector<4xf32>
  %j1 = arith.addi %j, %c1 : index
  %l1_0 = memref.load %A[%c0, %j1] : memref<8x64xf32>
  %l1_1 = memref.load %A[%c1, %j1] : memref<8x64xf32>
  %l1_2 = memref.load %A[%c2, %j1] : memref<8x64xf32>
  %l1_3 = memref.load %A[%c3, %j1] : memref<8x64xf32>
  %v1 = vector.from_elements %l1_0, %l1_1, %l1_2, %l1_3 : vector<4xf32>
  vector.store %v1, %C[%j1, %c0] : memref<64x8xf32>, vector<4xf32>
  %j2 = arith.addi %j, %c2 : index
  %l2_0 = memref.load %A[%c0, %j2] : memref<8x64xf32>
  %l2_1 = memref.load %A[%c1, %j2] : memref<8x64xf32>
  %l2_2 = memref.load %A[%c2, %j2] : memref<8x64xf32>
  %l2_3 = memref.load %A[%c3, %j2] : memref<8x64xf32>
  %v2 = vector.from_elements %l2_0, %l2_1, %l2_2, %l2_3 : vector<4xf32>
  vector.store %v2, %C[%j2, %c0] : memref<64x8xf32>, vector<4xf32>
  %j3 = arith.addi %j, %c3 : index
  %l3_0 = memref.load %A[%c0, %j3] : memref<8x64xf32>
  %l3_1 = memref.load %A[%c1, %j3] : memref<8x64xf32>
  %l3_2 = memref.load %A[%c2, %j3] : memref<8x64xf32>
  %l3_3 = memref.load %A[%c3, %j3] : memref<8x64xf32>
  %v3 = vector.from_elements %l3_0, %l3_1, %l3_2, %l3_3 : vector<4xf32>
  vector.store %v3, %C[%j3, %c0] : memref<64x8xf32>, vector<4xf32>
  return
}

// Vectors of two chunks: 8 rows are transposed in 3 times 8 shuffles, of which the last split chunks. With 128 bits
// each vector is two registers, so 4 columns are transposed at a time: rows have 4 elements, and two share a vector.
// CHECK-LABEL: func.func @wide
// CHECK-COUNT-8: vector.load {{.*}}, vector<8xf32>
// CHECK-COUNT-16: vector.shuffle {{.*}} : vector<8xf32>, vector<8xf32>
// CHECK-NEXT:    vector.shuffle %{{.*}}, %{{.*}} [0, 1, 2, 3, 8, 9, 10, 11] : vector<8xf32>, vector<8xf32>
// CHECK-NEXT:    vector.shuffle %{{.*}}, %{{.*}} [4, 5, 6, 7, 12, 13, 14, 15] : vector<8xf32>, vector<8xf32>
// CHECK-NOT:     from_elements
// NARROW-LABEL: func.func @wide
// NARROW-COUNT-8: vector.load {{.*}}, vector<4xf32>
// NARROW-COUNT-4: vector.shuffle {{.*}} [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xf32>, vector<4xf32>
// NARROW-COUNT-8: vector.shuffle {{.*}} : vector<8xf32>, vector<8xf32>
// NARROW-COUNT-4: vector.store
// NARROW-COUNT-8: vector.load {{.*}}, vector<4xf32>
// NARROW-NOT:     from_elements
// NARROW:         return
func.func @wide(%A: memref<8x64xf32>, %C: memref<64x8xf32>, %j: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %c6 = arith.constant 6 : index
  %c7 = arith.constant 7 : index
  %l0_0 = memref.load %A[%c0, %j] : memref<8x64xf32>
  %l0_1 = memref.load %A[%c1, %j] : memref<8x64xf32>
  %l0_2 = memref.load %A[%c2, %j] : memref<8x64xf32>
  %l0_3 = memref.load %A[%c3, %j] : memref<8x64xf32>
  %l0_4 = memref.load %A[%c4, %j] : memref<8x64xf32>
  %l0_5 = memref.load %A[%c5, %j] : memref<8x64xf32>
  %l0_6 = memref.load %A[%c6, %j] : memref<8x64xf32>
  %l0_7 = memref.load %A[%c7, %j] : memref<8x64xf32>
  %v0 = vector.from_elements %l0_0, %l0_1, %l0_2, %l0_3, %l0_4, %l0_5, %l0_6, %l0_7 : vector<8xf32>
  vector.store %v0, %C[%j, %c0] : memref<64x8xf32>, vector<8xf32>
  %j1 = arith.addi %j, %c1 : index
  %l1_0 = memref.load %A[%c0, %j1] : memref<8x64xf32>
  %l1_1 = memref.load %A[%c1, %j1] : memref<8x64xf32>
  %l1_2 = memref.load %A[%c2, %j1] : memref<8x64xf32>
  %l1_3 = memref.load %A[%c3, %j1] : memref<8x64xf32>
  %l1_4 = memref.load %A[%c4, %j1] : memref<8x64xf32>
  %l1_5 = memref.load %A[%c5, %j1] : memref<8x64xf32>
  %l1_6 = memref.load %A[%c6, %j1] : memref<8x64xf32>
  %l1_7 = memref.load %A[%c7, %j1] : memref<8x64xf32>
  %v1 = vector.from_elements %l1_0, %l1_1, %l1_2, %l1_3, %l1_4, %l1_5, %l1_6, %l1_7 : vector<8xf32>
  vector.store %v1, %C[%j1, %c0] : memref<64x8xf32>, vector<8xf32>
  %j2 = arith.addi %j, %c2 : index
  %l2_0 = memref.load %A[%c0, %j2] : memref<8x64xf32>
  %l2_1 = memref.load %A[%c1, %j2] : memref<8x64xf32>
  %l2_2 = memref.load %A[%c2, %j2] : memref<8x64xf32>
  %l2_3 = memref.load %A[%c3, %j2] : memref<8x64xf32>
  %l2_4 = memref.load %A[%c4, %j2] : memref<8x64xf32>
  %l2_5 = memref.load %A[%c5, %j2] : memref<8x64xf32>
  %l2_6 = memref.load %A[%c6, %j2] : memref<8x64xf32>
  %l2_7 = memref.load %A[%c7, %j2] : memref<8x64xf32>
  %v2 = vector.from_elements %l2_0, %l2_1, %l2_2, %l2_3, %l2_4, %l2_5, %l2_6, %l2_7 : vector<8xf32>
  vector.store %v2, %C[%j2, %c0] : memref<64x8xf32>, vector<8xf32>
  %j3 = arith.addi %j, %c3 : index
  %l3_0 = memref.load %A[%c0, %j3] : memref<8x64xf32>
  %l3_1 = memref.load %A[%c1, %j3] : memref<8x64xf32>
  %l3_2 = memref.load %A[%c2, %j3] : memref<8x64xf32>
  %l3_3 = memref.load %A[%c3, %j3] : memref<8x64xf32>
  %l3_4 = memref.load %A[%c4, %j3] : memref<8x64xf32>
  %l3_5 = memref.load %A[%c5, %j3] : memref<8x64xf32>
  %l3_6 = memref.load %A[%c6, %j3] : memref<8x64xf32>
  %l3_7 = memref.load %A[%c7, %j3] : memref<8x64xf32>
  %v3 = vector.from_elements %l3_0, %l3_1, %l3_2, %l3_3, %l3_4, %l3_5, %l3_6, %l3_7 : vector<8xf32>
  vector.store %v3, %C[%j3, %c0] : memref<64x8xf32>, vector<8xf32>
  %j4 = arith.addi %j, %c4 : index
  %l4_0 = memref.load %A[%c0, %j4] : memref<8x64xf32>
  %l4_1 = memref.load %A[%c1, %j4] : memref<8x64xf32>
  %l4_2 = memref.load %A[%c2, %j4] : memref<8x64xf32>
  %l4_3 = memref.load %A[%c3, %j4] : memref<8x64xf32>
  %l4_4 = memref.load %A[%c4, %j4] : memref<8x64xf32>
  %l4_5 = memref.load %A[%c5, %j4] : memref<8x64xf32>
  %l4_6 = memref.load %A[%c6, %j4] : memref<8x64xf32>
  %l4_7 = memref.load %A[%c7, %j4] : memref<8x64xf32>
  %v4 = vector.from_elements %l4_0, %l4_1, %l4_2, %l4_3, %l4_4, %l4_5, %l4_6, %l4_7 : vector<8xf32>
  vector.store %v4, %C[%j4, %c0] : memref<64x8xf32>, vector<8xf32>
  %j5 = arith.addi %j, %c5 : index
  %l5_0 = memref.load %A[%c0, %j5] : memref<8x64xf32>
  %l5_1 = memref.load %A[%c1, %j5] : memref<8x64xf32>
  %l5_2 = memref.load %A[%c2, %j5] : memref<8x64xf32>
  %l5_3 = memref.load %A[%c3, %j5] : memref<8x64xf32>
  %l5_4 = memref.load %A[%c4, %j5] : memref<8x64xf32>
  %l5_5 = memref.load %A[%c5, %j5] : memref<8x64xf32>
  %l5_6 = memref.load %A[%c6, %j5] : memref<8x64xf32>
  %l5_7 = memref.load %A[%c7, %j5] : memref<8x64xf32>
  %v5 = vector.from_elements %l5_0, %l5_1, %l5_2, %l5_3, %l5_4, %l5_5, %l5_6, %l5_7 : vector<8xf32>
  vector.store %v5, %C[%j5, %c0] : memref<64x8xf32>, vector<8xf32>
  %j6 = arith.addi %j, %c6 : index
  %l6_0 = memref.load %A[%c0, %j6] : memref<8x64xf32>
  %l6_1 = memref.load %A[%c1, %j6] : memref<8x64xf32>
  %l6_2 = memref.load %A[%c2, %j6] : memref<8x64xf32>
  %l6_3 = memref.load %A[%c3, %j6] : memref<8x64xf32>
  %l6_4 = memref.load %A[%c4, %j6] : memref<8x64xf32>
  %l6_5 = memref.load %A[%c5, %j6] : memref<8x64xf32>
  %l6_6 = memref.load %A[%c6, %j6] : memref<8x64xf32>
  %l6_7 = memref.load %A[%c7, %j6] : memref<8x64xf32>
  %v6 = vector.from_elements %l6_0, %l6_1, %l6_2, %l6_3, %l6_4, %l6_5, %l6_6, %l6_7 : vector<8xf32>
  vector.store %v6, %C[%j6, %c0] : memref<64x8xf32>, vector<8xf32>
  %j7 = arith.addi %j, %c7 : index
  %l7_0 = memref.load %A[%c0, %j7] : memref<8x64xf32>
  %l7_1 = memref.load %A[%c1, %j7] : memref<8x64xf32>
  %l7_2 = memref.load %A[%c2, %j7] : memref<8x64xf32>
  %l7_3 = memref.load %A[%c3, %j7] : memref<8x64xf32>
  %l7_4 = memref.load %A[%c4, %j7] : memref<8x64xf32>
  %l7_5 = memref.load %A[%c5, %j7] : memref<8x64xf32>
  %l7_6 = memref.load %A[%c6, %j7] : memref<8x64xf32>
  %l7_7 = memref.load %A[%c7, %j7] : memref<8x64xf32>
  %v7 = vector.from_elements %l7_0, %l7_1, %l7_2, %l7_3, %l7_4, %l7_5, %l7_6, %l7_7 : vector<8xf32>
  vector.store %v7, %C[%j7, %c0] : memref<64x8xf32>, vector<8xf32>
  return
}

// Two neighbours: four consecutive rows of two bytes in each of two vectors, between which bytes are exchanged.
// CHECK-LABEL: func.func @bytes
// CHECK-COUNT-8: vector.load {{.*}}, vector<2xi8>
// CHECK-COUNT-2: vector.shuffle {{.*}} [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xi8>, vector<4xi8>
// CHECK-NEXT:    vector.shuffle %{{.*}}, %{{.*}} [0, 8, 2, 10, 4, 12, 6, 14] : vector<8xi8>, vector<8xi8>
// CHECK-NEXT:    vector.shuffle %{{.*}}, %{{.*}} [1, 9, 3, 11, 5, 13, 7, 15] : vector<8xi8>, vector<8xi8>
func.func @bytes(%A: memref<8x64xi8>, %C: memref<64x8xi8>, %j: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %c6 = arith.constant 6 : index
  %c7 = arith.constant 7 : index
  %l0_0 = memref.load %A[%c0, %j] : memref<8x64xi8>
  %l0_1 = memref.load %A[%c1, %j] : memref<8x64xi8>
  %l0_2 = memref.load %A[%c2, %j] : memref<8x64xi8>
  %l0_3 = memref.load %A[%c3, %j] : memref<8x64xi8>
  %l0_4 = memref.load %A[%c4, %j] : memref<8x64xi8>
  %l0_5 = memref.load %A[%c5, %j] : memref<8x64xi8>
  %l0_6 = memref.load %A[%c6, %j] : memref<8x64xi8>
  %l0_7 = memref.load %A[%c7, %j] : memref<8x64xi8>
  %v0 = vector.from_elements %l0_0, %l0_1, %l0_2, %l0_3, %l0_4, %l0_5, %l0_6, %l0_7 : vector<8xi8>
  vector.store %v0, %C[%j, %c0] : memref<64x8xi8>, vector<8xi8>
  %j1 = arith.addi %j, %c1 : index
  %l1_0 = memref.load %A[%c0, %j1] : memref<8x64xi8>
  %l1_1 = memref.load %A[%c1, %j1] : memref<8x64xi8>
  %l1_2 = memref.load %A[%c2, %j1] : memref<8x64xi8>
  %l1_3 = memref.load %A[%c3, %j1] : memref<8x64xi8>
  %l1_4 = memref.load %A[%c4, %j1] : memref<8x64xi8>
  %l1_5 = memref.load %A[%c5, %j1] : memref<8x64xi8>
  %l1_6 = memref.load %A[%c6, %j1] : memref<8x64xi8>
  %l1_7 = memref.load %A[%c7, %j1] : memref<8x64xi8>
  %v1 = vector.from_elements %l1_0, %l1_1, %l1_2, %l1_3, %l1_4, %l1_5, %l1_6, %l1_7 : vector<8xi8>
  vector.store %v1, %C[%j1, %c0] : memref<64x8xi8>, vector<8xi8>
  return
}

// The first of the vectors is not adjacent to the others, and rows may be anywhere. Elements before an index that is
// not the lowest one are loaded from that index.
// CHECK-LABEL: func.func @any_order
// CHECK:         memref.load
// CHECK:         memref.load
// CHECK:         vector.from_elements
// CHECK:         %[[A:.*]] = vector.load %arg0[%arg2, %{{.*}}] : memref<8x64xf64>, vector<2xf64>
// CHECK-NEXT:    %[[B:.*]] = vector.load %arg0[%{{.*}}, %{{.*}}] : memref<8x64xf64>, vector<2xf64>
// CHECK-NEXT:    vector.shuffle %[[A]], %[[B]] [0, 2] : vector<2xf64>, vector<2xf64>
// CHECK-NEXT:    vector.shuffle %[[A]], %[[B]] [1, 3] : vector<2xf64>, vector<2xf64>
// CHECK-NOT:     memref.load
func.func @any_order(%A: memref<8x64xf64>, %C: memref<64x8xf64>, %i: index, %j: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c5 = arith.constant 5 : index
  %c9 = arith.constant 9 : index
  %i1 = arith.addi %i, %c5 : index
  %j2 = arith.addi %j, %c9 : index
  %l2_0 = memref.load %A[%i, %j2] : memref<8x64xf64>
  %l2_1 = memref.load %A[%i1, %j2] : memref<8x64xf64>
  %v2 = vector.from_elements %l2_0, %l2_1 : vector<2xf64>
  vector.store %v2, %C[%j2, %c0] : memref<64x8xf64>, vector<2xf64>
  %j0 = arith.addi %j, %c1 : index
  %l0_0 = memref.load %A[%i, %j0] : memref<8x64xf64>
  %l0_1 = memref.load %A[%i1, %j0] : memref<8x64xf64>
  %v0 = vector.from_elements %l0_0, %l0_1 : vector<2xf64>
  vector.store %v0, %C[%j0, %c0] : memref<64x8xf64>, vector<2xf64>
  %j1 = arith.addi %j, %c2 : index
  %l1_0 = memref.load %A[%i, %j1] : memref<8x64xf64>
  %l1_1 = memref.load %A[%i1, %j1] : memref<8x64xf64>
  %v1 = vector.from_elements %l1_0, %l1_1 : vector<2xf64>
  vector.store %v1, %C[%j1, %c0] : memref<64x8xf64>, vector<2xf64>
  return
}

// The last column comes first: rows begin one element earlier.
// CHECK-LABEL: func.func @falling
// CHECK:         %[[J1:.*]] = arith.addi %arg2, %c1
// CHECK:         %[[B:.*]] = arith.constant -1 : index
// CHECK-NEXT:    %[[J:.*]] = arith.addi %[[J1]], %[[B]] : index
// CHECK-NEXT:    vector.load %arg0[%c0{{.*}}, %[[J]]] : memref<8x64xf64>, vector<2xf64>
func.func @falling(%A: memref<8x64xf64>, %C: memref<64x8xf64>, %j: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %j1 = arith.addi %j, %c1 : index
  %l1_0 = memref.load %A[%c0, %j1] : memref<8x64xf64>
  %l1_1 = memref.load %A[%c1, %j1] : memref<8x64xf64>
  %v1 = vector.from_elements %l1_0, %l1_1 : vector<2xf64>
  vector.store %v1, %C[%j1, %c0] : memref<64x8xf64>, vector<2xf64>
  %l0_0 = memref.load %A[%c0, %j] : memref<8x64xf64>
  %l0_1 = memref.load %A[%c1, %j] : memref<8x64xf64>
  %v0 = vector.from_elements %l0_0, %l0_1 : vector<2xf64>
  vector.store %v0, %C[%j, %c0] : memref<64x8xf64>, vector<2xf64>
  return
}

// Rows of a one-dimensional buffer: the column is the last part of the index.
// CHECK-LABEL: func.func @flat
// CHECK-COUNT-2: vector.load %arg0[%{{.*}}] : memref<64xf64>, vector<2xf64>
// CHECK-NOT:     from_elements
func.func @flat(%A: memref<64xf64>, %C: memref<8x2xf64>, %j: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %k = arith.muli %j, %c8 : index
  %p0 = arith.addi %k, %c0 : index
  %q0 = arith.addi %p0, %c8 : index
  %a0 = memref.load %A[%p0] : memref<64xf64>
  %b0 = memref.load %A[%q0] : memref<64xf64>
  %v0 = vector.from_elements %a0, %b0 : vector<2xf64>
  vector.store %v0, %C[%c0, %c0] : memref<8x2xf64>, vector<2xf64>
  %p1 = arith.addi %k, %c1 : index
  %q1 = arith.addi %p1, %c8 : index
  %a1 = memref.load %A[%p1] : memref<64xf64>
  %b1 = memref.load %A[%q1] : memref<64xf64>
  %v1 = vector.from_elements %a1, %b1 : vector<2xf64>
  vector.store %v1, %C[%c1, %c0] : memref<8x2xf64>, vector<2xf64>
  return
}

// The lanes of a tail are loaded if they are active; the rows are loaded in the same way.
// CHECK-LABEL: func.func @guarded
// CHECK:         %[[A:.*]] = scf.if %arg3 -> (vector<2xf64>) {
// CHECK-NEXT:      %[[J:.*]] = arith.addi %arg2, %c0
// CHECK-NEXT:      %[[R:.*]] = vector.load %arg0[%c0{{.*}}, %[[J]]] : memref<8x64xf64>, vector<2xf64>
// CHECK-NEXT:      scf.yield %[[R]]
// CHECK-NEXT:    } else {
// CHECK-NEXT:      %[[Z:.*]] = vector.broadcast %{{.*}} : f64 to vector<2xf64>
// CHECK-NEXT:      scf.yield %[[Z]]
// CHECK:         %[[B:.*]] = scf.if %arg4 -> (vector<2xf64>) {
// CHECK:         vector.shuffle %[[A]], %[[B]] [0, 2]
// CHECK:         vector.shuffle %[[A]], %[[B]] [1, 3]
// CHECK-NOT:     scf.if
func.func @guarded(%A: memref<8x64xf64>, %C: memref<64x8xf64>, %j: index, %on0: i1, %on1: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %l0_0 = scf.if %on0 -> (f64) {
    %at0 = arith.addi %j, %c0 : index
    %x = memref.load %A[%c0, %at0] : memref<8x64xf64>
    scf.yield %x : f64
  } else {
    scf.yield %zero : f64
  }
  %l0_1 = scf.if %on1 -> (f64) {
    %at0 = arith.addi %j, %c0 : index
    %x = memref.load %A[%c1, %at0] : memref<8x64xf64>
    scf.yield %x : f64
  } else {
    scf.yield %zero : f64
  }
  %v0 = vector.from_elements %l0_0, %l0_1 : vector<2xf64>
  vector.store %v0, %C[%c0, %c0] : memref<64x8xf64>, vector<2xf64>
  %l1_0 = scf.if %on0 -> (f64) {
    %at1 = arith.addi %j, %c1 : index
    %x = memref.load %A[%c0, %at1] : memref<8x64xf64>
    scf.yield %x : f64
  } else {
    scf.yield %zero : f64
  }
  %l1_1 = scf.if %on1 -> (f64) {
    %at1 = arith.addi %j, %c1 : index
    %x = memref.load %A[%c1, %at1] : memref<8x64xf64>
    scf.yield %x : f64
  } else {
    scf.yield %zero : f64
  }
  %v1 = vector.from_elements %l1_0, %l1_1 : vector<2xf64>
  vector.store %v1, %C[%c1, %c0] : memref<64x8xf64>, vector<2xf64>
  return
}

// A load with another use is kept.
// CHECK-LABEL: func.func @read_again
// CHECK-COUNT-2: vector.load
// CHECK-COUNT-1: memref.load
// CHECK-NOT:     memref.load
func.func @read_again(%A: memref<8x64xf64>, %C: memref<64x8xf64>, %D: memref<8xf64>, %j: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %l0_0 = memref.load %A[%c0, %j] : memref<8x64xf64>
  %l0_1 = memref.load %A[%c1, %j] : memref<8x64xf64>
  %v0 = vector.from_elements %l0_0, %l0_1 : vector<2xf64>
  vector.store %v0, %C[%j, %c0] : memref<64x8xf64>, vector<2xf64>
  %j1 = arith.addi %j, %c1 : index
  %l1_0 = memref.load %A[%c0, %j1] : memref<8x64xf64>
  %l1_1 = memref.load %A[%c1, %j1] : memref<8x64xf64>
  %v1 = vector.from_elements %l1_0, %l1_1 : vector<2xf64>
  vector.store %v1, %C[%j1, %c0] : memref<64x8xf64>, vector<2xf64>
  memref.store %l1_0, %D[%c0] : memref<8xf64>
  return
}

// A store to the buffer in between may change what the moved load reads.
// CHECK-LABEL: func.func @stored_between
// CHECK-NOT:     vector.shuffle
// CHECK:         return
func.func @stored_between(%A: memref<8x64xf64>, %j: index, %x: vector<2xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %l0_0 = memref.load %A[%c0, %j] : memref<8x64xf64>
  %l0_1 = memref.load %A[%c1, %j] : memref<8x64xf64>
  %v0 = vector.from_elements %l0_0, %l0_1 : vector<2xf64>
  vector.store %v0, %A[%c0, %c0] : memref<8x64xf64>, vector<2xf64>
  %j1 = arith.addi %j, %c1 : index
  %l1_0 = memref.load %A[%c0, %j1] : memref<8x64xf64>
  %l1_1 = memref.load %A[%c1, %j1] : memref<8x64xf64>
  %v1 = vector.from_elements %l1_0, %l1_1 : vector<2xf64>
  vector.store %v1, %A[%c1, %c0] : memref<8x64xf64>, vector<2xf64>
  return
}

// The same in a branch, and for a call.
// CHECK-LABEL: func.func @stored_in_a_branch
// CHECK-NOT:     vector.shuffle
// CHECK:         return
func.func @stored_in_a_branch(%A: memref<8x64xf64>, %C: memref<64x8xf64>, %j: index, %on: i1, %x: f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %l0_0 = memref.load %A[%c0, %j] : memref<8x64xf64>
  %l0_1 = memref.load %A[%c1, %j] : memref<8x64xf64>
  %v0 = vector.from_elements %l0_0, %l0_1 : vector<2xf64>
  scf.if %on {
    memref.store %x, %A[%c0, %j] : memref<8x64xf64>
  }
  vector.store %v0, %C[%j, %c0] : memref<64x8xf64>, vector<2xf64>
  %j1 = arith.addi %j, %c1 : index
  %l1_0 = memref.load %A[%c0, %j1] : memref<8x64xf64>
  %l1_1 = memref.load %A[%c1, %j1] : memref<8x64xf64>
  %v1 = vector.from_elements %l1_0, %l1_1 : vector<2xf64>
  vector.store %v1, %C[%j1, %c0] : memref<64x8xf64>, vector<2xf64>
  return
}

func.func private @unknown()

// A call.
// CHECK-LABEL: func.func @called_between
// CHECK-NOT:     vector.shuffle
// CHECK:         return
func.func @called_between(%A: memref<8x64xf64>, %C: memref<64x8xf64>, %j: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %l0_0 = memref.load %A[%c0, %j] : memref<8x64xf64>
  %l0_1 = memref.load %A[%c1, %j] : memref<8x64xf64>
  %v0 = vector.from_elements %l0_0, %l0_1 : vector<2xf64>
  func.call @unknown() : () -> ()
  vector.store %v0, %C[%j, %c0] : memref<64x8xf64>, vector<2xf64>
  %j1 = arith.addi %j, %c1 : index
  %l1_0 = memref.load %A[%c0, %j1] : memref<8x64xf64>
  %l1_1 = memref.load %A[%c1, %j1] : memref<8x64xf64>
  %v1 = vector.from_elements %l1_0, %l1_1 : vector<2xf64>
  func.call @unknown() : () -> ()
  vector.store %v1, %C[%j1, %c0] : memref<64x8xf64>, vector<2xf64>
  return
}

// Two columns apart; other rows; rows of two buffers; an unknown distance.
// CHECK-LABEL: func.func @not_neighbours
// CHECK-NOT:     vector.shuffle
// CHECK:         return
func.func @not_neighbours(%A: memref<8x64xf64>, %B: memref<8x64xf64>, %C: memref<64x8xf64>, %j: index, %k: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %l0_0 = memref.load %A[%c0, %j] : memref<8x64xf64>
  %l0_1 = memref.load %A[%c1, %j] : memref<8x64xf64>
  %v0 = vector.from_elements %l0_0, %l0_1 : vector<2xf64>
  vector.store %v0, %C[%j, %c0] : memref<64x8xf64>, vector<2xf64>
  %j1 = arith.addi %j, %c2 : index
  %l1_0 = memref.load %A[%c0, %j1] : memref<8x64xf64>
  %l1_1 = memref.load %A[%c1, %j1] : memref<8x64xf64>
  %v1 = vector.from_elements %l1_0, %l1_1 : vector<2xf64>
  vector.store %v1, %C[%j1, %c0] : memref<64x8xf64>, vector<2xf64>
  %m0_0 = memref.load %A[%c0, %j] : memref<8x64xf64>
  %m0_1 = memref.load %A[%c1, %j] : memref<8x64xf64>
  %w0 = vector.from_elements %m0_0, %m0_1 : vector<2xf64>
  vector.store %w0, %C[%j, %c0] : memref<64x8xf64>, vector<2xf64>
  %n1 = arith.addi %j, %c1 : index
  %m1_0 = memref.load %A[%c1, %n1] : memref<8x64xf64>
  %m1_1 = memref.load %A[%c2, %n1] : memref<8x64xf64>
  %w1 = vector.from_elements %m1_0, %m1_1 : vector<2xf64>
  vector.store %w1, %C[%n1, %c0] : memref<64x8xf64>, vector<2xf64>
  %d0 = memref.load %A[%c0, %j] : memref<8x64xf64>
  %d1 = memref.load %B[%c1, %j] : memref<8x64xf64>
  %d = vector.from_elements %d0, %d1 : vector<2xf64>
  vector.store %d, %C[%c0, %c0] : memref<64x8xf64>, vector<2xf64>
  %e0 = memref.load %A[%c0, %k] : memref<8x64xf64>
  %e1 = memref.load %A[%c1, %k] : memref<8x64xf64>
  %e = vector.from_elements %e0, %e1 : vector<2xf64>
  vector.store %e, %C[%c1, %c0] : memref<64x8xf64>, vector<2xf64>
  return
}

// Not a power of two.
// CHECK-LABEL: func.func @three_lanes
// CHECK-NOT:     vector.shuffle
// CHECK:         return
func.func @three_lanes(%A: memref<4x64xf32>, %C: memref<64x3xf32>, %j: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %l0_0 = memref.load %A[%c0, %j] : memref<4x64xf32>
  %l0_1 = memref.load %A[%c1, %j] : memref<4x64xf32>
  %l0_2 = memref.load %A[%c2, %j] : memref<4x64xf32>
  %v0 = vector.from_elements %l0_0, %l0_1, %l0_2 : vector<3xf32>
  vector.store %v0, %C[%j, %c0] : memref<64x3xf32>, vector<3xf32>
  %j1 = arith.addi %j, %c1 : index
  %l1_0 = memref.load %A[%c0, %j1] : memref<4x64xf32>
  %l1_1 = memref.load %A[%c1, %j1] : memref<4x64xf32>
  %l1_2 = memref.load %A[%c2, %j1] : memref<4x64xf32>
  %v1 = vector.from_elements %l1_0, %l1_1, %l1_2 : vector<3xf32>
  vector.store %v1, %C[%j1, %c0] : memref<64x3xf32>, vector<3xf32>
  return
}

// Every second element of a row: two loads of neighbours, the last of which ends at the last element.
// CHECK-LABEL: func.func @every_second(
// CHECK-SAME:      %[[A:[^:]*]]: memref<8x64xf32>, %[[C:[^:]*]]: memref<4xf32>, %[[J:[^:]*]]: index
// CHECK:         %[[LOW:.*]] = vector.load %[[A]][%[[J]], %[[J]]] : memref<8x64xf32>, vector<4xf32>
// CHECK:         %[[THREE:.*]] = arith.constant 3 : index
// CHECK:         %[[AT:.*]] = arith.addi %[[J]], %[[THREE]] : index
// CHECK:         %[[HIGH:.*]] = vector.load %[[A]][%[[J]], %[[AT]]] : memref<8x64xf32>, vector<4xf32>
// CHECK:         vector.shuffle %[[LOW]], %[[HIGH]] [0, 2, 5, 7]
// CHECK-NOT:     memref.load
// CHECK:         return
func.func @every_second(%A: memref<8x64xf32>, %C: memref<4xf32>, %j: index) {
  %zero = arith.constant 0 : index
  %2 = arith.constant 2 : index
  %4 = arith.constant 4 : index
  %6 = arith.constant 6 : index
  %j2 = arith.addi %j, %2 : index
  %j4 = arith.addi %j, %4 : index
  %j6 = arith.addi %j, %6 : index
  %a = memref.load %A[%j, %j] : memref<8x64xf32>
  %b = memref.load %A[%j, %j2] : memref<8x64xf32>
  %c = memref.load %A[%j, %j4] : memref<8x64xf32>
  %d = memref.load %A[%j, %j6] : memref<8x64xf32>
  %x = vector.from_elements %a, %b, %c, %d : vector<4xf32>
  vector.store %x, %C[%zero] : memref<4xf32>, vector<4xf32>
  return
}

// Every third: elements 0, 3, 6 and 9 are in loads from 0, 4 and 6.
// CHECK-LABEL: func.func @every_third(
// CHECK-COUNT-2: vector.load {{.*}} : memref<64xf64>, vector<4xf64>
// CHECK:         %[[TWO:.*]] = vector.shuffle {{.*}} [0, 3, 6, 3]
// CHECK:         vector.load {{.*}} : memref<64xf64>, vector<4xf64>
// CHECK:         vector.shuffle %[[TWO]], {{.*}} [0, 1, 2, 7]
func.func @every_third(%A: memref<64xf64>, %C: memref<4xf64>, %j: index) {
  %zero = arith.constant 0 : index
  %3 = arith.constant 3 : index
  %j3 = arith.addi %j, %3 : index
  %j6 = arith.addi %j3, %3 : index
  %j9 = arith.addi %j6, %3 : index
  %a = memref.load %A[%j] : memref<64xf64>
  %b = memref.load %A[%j3] : memref<64xf64>
  %c = memref.load %A[%j6] : memref<64xf64>
  %d = memref.load %A[%j9] : memref<64xf64>
  %x = vector.from_elements %a, %b, %c, %d : vector<4xf64>
  vector.store %x, %C[%zero] : memref<4xf64>, vector<4xf64>
  return
}

// No gathers that become loads: every fifth element, another row, a condition.
// CHECK-LABEL: func.func @too_far_apart(
// CHECK-NOT:     vector.load
// CHECK:         vector.from_elements
// CHECK-NOT:     vector.load
// CHECK:         vector.from_elements
// CHECK-NOT:     vector.load
// CHECK:         vector.from_elements
// CHECK:         return
func.func @too_far_apart(%A: memref<8x64xf32>, %C: memref<2xf32>, %j: index, %on: i1) {
  %zero = arith.constant 0 : index
  %other = arith.constant 0.0 : f32
  %1 = arith.constant 1 : index
  %2 = arith.constant 2 : index
  %5 = arith.constant 5 : index
  %j5 = arith.addi %j, %5 : index
  %j2 = arith.addi %j, %2 : index
  %j1 = arith.addi %j, %1 : index
  %a = memref.load %A[%zero, %j] : memref<8x64xf32>
  %b = memref.load %A[%zero, %j5] : memref<8x64xf32>
  %x = vector.from_elements %a, %b : vector<2xf32>
  vector.store %x, %C[%zero] : memref<2xf32>, vector<2xf32>
  %c = memref.load %A[%1, %j1] : memref<8x64xf32>
  %d = memref.load %A[%j2, %j2] : memref<8x64xf32>
  %y = vector.from_elements %c, %d : vector<2xf32>
  vector.store %y, %C[%zero] : memref<2xf32>, vector<2xf32>
  %e = memref.load %A[%2, %j] : memref<8x64xf32>
  %f = scf.if %on -> f32 {
    %g = memref.load %A[%2, %j2] : memref<8x64xf32>
    scf.yield %g : f32
  } else {
    scf.yield %other : f32
  }
  %z = vector.from_elements %e, %f : vector<2xf32>
  vector.store %z, %C[%zero] : memref<2xf32>, vector<2xf32>
  return
}

// Other iterations may write the elements in between, in the first loop. The buffer of the second loop is its own.
// CHECK-LABEL: func.func @written_between(
// CHECK:         scf.parallel
// CHECK-NOT:       vector.load
// CHECK:           vector.from_elements
// CHECK:         scf.parallel
// CHECK-NOT:       vector.from_elements
// CHECK:           vector.shuffle
func.func @written_between(%A: memref<64xf32>, %C: memref<64xf32>) {
  %zero = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %2 = arith.constant 2 : index
  %8 = arith.constant 8 : index
  %value = arith.constant 1.0 : f32
  scf.parallel (%i) = (%zero) to (%8) step (%2) {
    %i1 = arith.addi %i, %1 : index
    %i2 = arith.addi %i, %2 : index
    %a = memref.load %A[%i] : memref<64xf32>
    %b = memref.load %A[%i2] : memref<64xf32>
    %x = vector.from_elements %a, %b : vector<2xf32>
    vector.store %x, %C[%i] : memref<64xf32>, vector<2xf32>
    memref.store %value, %A[%i1] : memref<64xf32>
    scf.reduce
  }
  scf.parallel (%i) = (%zero) to (%8) step (%2) {
    %own = memref.alloca() : memref<8xf32>
    memref.store %value, %own[%zero] : memref<8xf32>
    memref.store %value, %own[%2] : memref<8xf32>
    %a = memref.load %own[%zero] : memref<8xf32>
    %b = memref.load %own[%2] : memref<8xf32>
    %x = vector.from_elements %a, %b : vector<2xf32>
    vector.store %x, %C[%i] : memref<64xf32>, vector<2xf32>
    scf.reduce
  }
  return
}
