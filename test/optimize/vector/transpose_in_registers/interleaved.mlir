// RUN: lw-opt %s --verify-each=numeric --transpose-in-registers | FileCheck %s

// The elements of two rows in turn: loads of both rows, interleaved.
// CHECK-LABEL: func.func @two_rows(
// CHECK-SAME:    %[[A:[^:]*]]: memref<4x64xi16>, %{{[^:]*}}: memref<64xi16>, %[[I:[^:]*]]: index, %[[J:[^:]*]]: index)
// CHECK:         %[[X:.*]] = vector.load %[[A]][%[[I]], %[[J]]] : memref<4x64xi16>, vector<2xi16>
// CHECK-NEXT:    %[[Y:.*]] = vector.load %[[A]][%{{.*}}, %[[J]]] : memref<4x64xi16>, vector<2xi16>
// CHECK-NEXT:    %[[Z:.*]] = vector.shuffle %[[X]], %[[Y]] [0, 2, 1, 3] : vector<2xi16>, vector<2xi16>
// CHECK-NEXT:    vector.store %[[Z]]
func.func @two_rows(%A: memref<4x64xi16>, %C: memref<64xi16>, %i: index, %j: index) {
  %zero = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %i1 = arith.addi %i, %1 : index
  %j1 = arith.addi %j, %1 : index
  %a0 = memref.load %A[%i, %j] : memref<4x64xi16>
  %b0 = memref.load %A[%i1, %j] : memref<4x64xi16>
  %a1 = memref.load %A[%i, %j1] : memref<4x64xi16>
  %b1 = memref.load %A[%i1, %j1] : memref<4x64xi16>
  %x = vector.from_elements %a0, %b0, %a1, %b1 : vector<4xi16>
  vector.store %x, %C[%zero] : memref<64xi16>, vector<4xi16>
  return
}

// Four rows: the even and the odd ones, and then both.
// CHECK-LABEL: func.func @four_rows(
// CHECK-COUNT-4: vector.load {{.*}} vector<2xi8>
// CHECK:         %[[EVEN:.*]] = vector.shuffle %{{.*}}, %{{.*}} [0, 2, 1, 3] : vector<2xi8>, vector<2xi8>
// CHECK-NEXT:    %[[ODD:.*]] = vector.shuffle %{{.*}}, %{{.*}} [0, 2, 1, 3] : vector<2xi8>, vector<2xi8>
// CHECK-NEXT:    vector.shuffle %[[EVEN]], %[[ODD]] [0, 4, 1, 5, 2, 6, 3, 7] : vector<4xi8>, vector<4xi8>
func.func @four_rows(%A: memref<4x64xi8>, %C: memref<64xi8>, %j: index) {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %2 = arith.constant 2 : index
  %3 = arith.constant 3 : index
  %j1 = arith.addi %j, %1 : index
  %a0 = memref.load %A[%0, %j] : memref<4x64xi8>
  %b0 = memref.load %A[%1, %j] : memref<4x64xi8>
  %c0 = memref.load %A[%2, %j] : memref<4x64xi8>
  %d0 = memref.load %A[%3, %j] : memref<4x64xi8>
  %a1 = memref.load %A[%0, %j1] : memref<4x64xi8>
  %b1 = memref.load %A[%1, %j1] : memref<4x64xi8>
  %c1 = memref.load %A[%2, %j1] : memref<4x64xi8>
  %d1 = memref.load %A[%3, %j1] : memref<4x64xi8>
  %x = vector.from_elements %a0, %b0, %c0, %d0, %a1, %b1, %c1, %d1 : vector<8xi8>
  vector.store %x, %C[%0] : memref<64xi8>, vector<8xi8>
  return
}

// Rows that are not adjacent in the vector, or of which elements are missing, are no rows in turn.
// CHECK-LABEL: func.func @not_in_turn(
// CHECK-NOT:     vector.load
// CHECK-NOT:     vector.shuffle
// CHECK:         return
func.func @not_in_turn(%A: memref<4x64xi16>, %C: memref<64xi16>, %j: index) {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %2 = arith.constant 2 : index
  %j1 = arith.addi %j, %1 : index
  %j2 = arith.addi %j, %2 : index
  %a0 = memref.load %A[%0, %j] : memref<4x64xi16>
  %b0 = memref.load %A[%1, %j] : memref<4x64xi16>
  %a2 = memref.load %A[%0, %j2] : memref<4x64xi16>
  %b1 = memref.load %A[%1, %j1] : memref<4x64xi16>
  %x = vector.from_elements %a0, %b0, %a2, %b1 : vector<4xi16>
  vector.store %x, %C[%0] : memref<64xi16>, vector<4xi16>
  return
}

// Two rows, of which each is read in two lanes.
// CHECK-LABEL: func.func @rows_twice(
// CHECK-COUNT-4: vector.load {{.*}} vector<2xf32>
// CHECK:         vector.shuffle {{.*}} [0, 4, 1, 5, 2, 6, 3, 7]
func.func @rows_twice(%A: memref<4x64xf32>, %C: memref<64xf32>, %j: index) {
  %zero = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %j1 = arith.addi %j, %1 : index
  %a0 = memref.load %A[%zero, %j] : memref<4x64xf32>
  %b0 = memref.load %A[%1, %j] : memref<4x64xf32>
  %a1 = memref.load %A[%zero, %j1] : memref<4x64xf32>
  %b1 = memref.load %A[%1, %j1] : memref<4x64xf32>
  %x = vector.from_elements %a0, %b0, %a0, %b0, %a1, %b1, %a1, %b1 : vector<8xf32>
  vector.store %x, %C[%zero] : memref<64xf32>, vector<8xf32>
  return
}
