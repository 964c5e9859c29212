// RUN: lw-opt %s --verify-each=numeric --transpose-in-registers | FileCheck %s

// Each element twice: one load of half as many elements.
// CHECK-LABEL: func.func @twice(
// CHECK:         %[[X:.*]] = vector.load %{{.*}} : memref<64xf32>, vector<2xf32>
// CHECK-NEXT:    %[[Y:.*]] = vector.shuffle %[[X]], %[[X]] [0, 0, 1, 1] : vector<2xf32>, vector<2xf32>
// CHECK-NEXT:    vector.store %[[Y]]
func.func @twice(%A: memref<64xf32>, %C: memref<64xf32>, %i: index) {
  %zero = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %i1 = arith.addi %i, %1 : index
  %a = memref.load %A[%i] : memref<64xf32>
  %b = memref.load %A[%i1] : memref<64xf32>
  %x = vector.from_elements %a, %a, %b, %b : vector<4xf32>
  vector.store %x, %C[%zero] : memref<64xf32>, vector<4xf32>
  return
}

// Backwards, with a gap: the loads begin at the last lane.
// CHECK-LABEL: func.func @backwards(
// CHECK:         %[[X:.*]] = vector.load %{{.*}} : memref<64xf32>, vector<4xf32>
// CHECK:         %[[Y:.*]] = vector.load %{{.*}} : memref<64xf32>, vector<4xf32>
// CHECK-NEXT:    vector.shuffle %[[X]], %[[Y]] [7, 6, 1, 0] : vector<4xf32>, vector<4xf32>
func.func @backwards(%A: memref<64xf32>, %C: memref<64xf32>) {
  %zero = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %4 = arith.constant 4 : index
  %5 = arith.constant 5 : index
  %a = memref.load %A[%5] : memref<64xf32>
  %b = memref.load %A[%4] : memref<64xf32>
  %c = memref.load %A[%1] : memref<64xf32>
  %d = memref.load %A[%zero] : memref<64xf32>
  %x = vector.from_elements %a, %b, %c, %d : vector<4xf32>
  vector.store %x, %C[%zero] : memref<64xf32>, vector<4xf32>
  return
}

// The tail of a row, whose length is known: the lanes behind it keep their other value. The load reads no element behind the last one.
// CHECK-LABEL: func.func @tail(
// CHECK:         %[[ON:.*]] = vector.constant_mask [3] : vector<4xi1>
// CHECK:         %[[X:.*]] = vector.maskedload %{{.*}}[%{{.*}}], %[[ON]], %{{.*}} : memref<64xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
// CHECK-NEXT:    %[[Y:.*]] = vector.shuffle %[[X]], %[[X]] [0, 2, 0, 0] : vector<4xf32>, vector<4xf32>
// CHECK:         %[[LANES:.*]] = vector.constant_mask [2] : vector<4xi1>
// CHECK:         %[[OTHERS:.*]] = vector.broadcast %{{.*}} : f32 to vector<4xf32>
// CHECK-NEXT:    arith.select %[[LANES]], %[[Y]], %[[OTHERS]]
func.func @tail(%A: memref<64xf32>, %C: memref<64xf32>, %i: index, %other: f32) {
  %zero = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %2 = arith.constant 2 : index
  %mask = vector.constant_mask [2] : vector<4xi1>
  %is0 = vector.extract %mask[0] : i1 from vector<4xi1>
  %is1 = vector.extract %mask[1] : i1 from vector<4xi1>
  %is2 = vector.extract %mask[2] : i1 from vector<4xi1>
  %is3 = vector.extract %mask[3] : i1 from vector<4xi1>
  %a = scf.if %is0 -> f32 {
    %j = arith.addi %i, %1 : index
    %e = memref.load %A[%j] : memref<64xf32>
    scf.yield %e : f32
  } else {
    scf.yield %other : f32
  }
  %b = scf.if %is1 -> f32 {
    %j = arith.addi %i, %1 : index
    %k = arith.addi %j, %2 : index
    %e = memref.load %A[%k] : memref<64xf32>
    scf.yield %e : f32
  } else {
    scf.yield %other : f32
  }
  %c = scf.if %is2 -> f32 {
    %e = memref.load %A[%i] : memref<64xf32>
    scf.yield %e : f32
  } else {
    scf.yield %other : f32
  }
  %d = scf.if %is3 -> f32 {
    %e = memref.load %A[%i] : memref<64xf32>
    scf.yield %e : f32
  } else {
    scf.yield %other : f32
  }
  %x = vector.from_elements %a, %b, %c, %d : vector<4xf32>
  vector.store %x, %C[%zero] : memref<64xf32>, vector<4xf32>
  return
}

// A lane that is not loaded has a value that is computed after the first load.
// CHECK-LABEL: func.func @other(
// CHECK:         %[[X:.*]] = vector.load %{{.*}} : memref<64xf32>, vector<4xf32>
// CHECK:         %[[V:.*]] = arith.negf
// CHECK:         vector.broadcast %[[V]]
func.func @other(%A: memref<64xf32>, %C: memref<64xf32>, %value: f32) {
  %zero = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %3 = arith.constant 3 : index
  %a = memref.load %A[%zero] : memref<64xf32>
  %other = arith.negf %value : f32
  %b = memref.load %A[%1] : memref<64xf32>
  %c = memref.load %A[%3] : memref<64xf32>
  %x = vector.from_elements %a, %b, %c, %other : vector<4xf32>
  vector.store %x, %C[%zero] : memref<64xf32>, vector<4xf32>
  return
}

// A lane whose condition is not known is loaded on its own.
// CHECK-LABEL: func.func @unknown(
// CHECK-NOT:     vector.load
// CHECK:         vector.from_elements
func.func @unknown(%A: memref<64xf32>, %C: memref<64xf32>, %is1: i1, %other: f32) {
  %zero = arith.constant 0 : index
  %2 = arith.constant 2 : index
  %a = memref.load %A[%zero] : memref<64xf32>
  %b = scf.if %is1 -> f32 {
    %e = memref.load %A[%2] : memref<64xf32>
    scf.yield %e : f32
  } else {
    scf.yield %other : f32
  }
  %x = vector.from_elements %a, %b : vector<2xf32>
  vector.store %x, %C[%zero] : memref<64xf32>, vector<2xf32>
  return
}
