// RUN: lw-opt %s --reduce-by-lanes | FileCheck %s
// RUN: lw-opt %s --reduce-by-lanes=vector-bits=256 | FileCheck %s --check-prefix=NARROW

// Two vectors are joined, and then their lanes are joined with the existing value.
// CHECK-LABEL: func.func @sum
// CHECK-NOT:     scf.for
// CHECK:         %[[A:.*]] = vector.load %arg0[%arg2, %c0{{.*}}] : memref<8x32xf32>, vector<16xf32>
// CHECK:         %[[B:.*]] = vector.load %arg0[%arg2, %c16{{.*}}] : memref<8x32xf32>, vector<16xf32>
// CHECK:         %[[S:.*]] = arith.addf %[[A]], %[[B]] : vector<16xf32>
// CHECK:         %[[C:.*]] = memref.load %arg1[%arg2] : memref<8xf32>
// CHECK:         %[[R:.*]] = vector.reduction <add>, %[[S]], %[[C]] fastmath<reassoc> : vector<16xf32> into f32
// CHECK:         memref.store %[[R]], %arg1[%arg2] : memref<8xf32>
// NARROW-LABEL: func.func @sum
// NARROW-COUNT-4: vector.load {{.*}}, vector<8xf32>
func.func @sum(%A: memref<8x32xf32>, %C: memref<8xf32>, %i: index) attributes {loop.fp = "reassoc"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  scf.for %k = %c0 to %c32 step %c1 {
    %a = memref.load %A[%i, %k] : memref<8x32xf32>
    %c = memref.load %C[%i] : memref<8xf32>
    %s = arith.addf %c, %a : f32
    memref.store %s, %C[%i] : memref<8xf32>
  }
  return
}

// A maximum is the same in any order, whatever the contract; so are sums of integers.
// CHECK-LABEL: func.func @max
// CHECK:         vector.reduction <maximumf>, %{{.*}}, %{{.*}} : vector<16xf32> into f32
func.func @max(%A: memref<16xf32>, %C: memref<f32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  scf.for %k = %c0 to %c16 step %c1 {
    %c = memref.load %C[] : memref<f32>
    %a = memref.load %A[%k] : memref<16xf32>
    %s = arith.maximumf %a, %c : f32
    memref.store %s, %C[] : memref<f32>
  }
  return
}

// CHECK-LABEL: func.func @whole_numbers
// CHECK:         vector.reduction <add>, %{{.*}}, %{{.*}} : vector<64xi8> into i8
func.func @whole_numbers(%A: memref<64xi8>, %C: memref<i8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  scf.for %k = %c0 to %c64 step %c1 {
    %a = memref.load %A[%k] : memref<64xi8>
    %c = memref.load %C[] : memref<i8>
    %s = arith.addi %a, %c : i8
    memref.store %s, %C[] : memref<i8>
  }
  return
}

// A strict contract keeps the order of sums of floats.
// CHECK-LABEL: func.func @strict
// CHECK:         scf.for
func.func @strict(%A: memref<32xf32>, %C: memref<f32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  scf.for %k = %c0 to %c32 step %c1 {
    %a = memref.load %A[%k] : memref<32xf32>
    %c = memref.load %C[] : memref<f32>
    %s = arith.addf %c, %a : f32
    memref.store %s, %C[] : memref<f32>
  }
  return
}

// No whole vectors; too many for registers; columns; the same buffer; another op in between.
// CHECK-LABEL: func.func @left
// CHECK-COUNT-5: scf.for
func.func @left(%A: memref<33x33xf32>, %B: memref<512xf32>, %C: memref<f32>, %D: memref<33xf32>, %i: index) attributes {loop.fp = "fast"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c33 = arith.constant 33 : index
  %c512 = arith.constant 512 : index
  scf.for %k = %c0 to %c33 step %c1 {
    %a = memref.load %A[%i, %k] : memref<33x33xf32>
    %c = memref.load %C[] : memref<f32>
    %s = arith.addf %c, %a : f32
    memref.store %s, %C[] : memref<f32>
  }
  scf.for %k = %c0 to %c512 step %c1 {
    %a = memref.load %B[%k] : memref<512xf32>
    %c = memref.load %C[] : memref<f32>
    %s = arith.addf %c, %a : f32
    memref.store %s, %C[] : memref<f32>
  }
  scf.for %k = %c0 to %c16 step %c1 {
    %a = memref.load %A[%k, %i] : memref<33x33xf32>
    %c = memref.load %C[] : memref<f32>
    %s = arith.addf %c, %a : f32
    memref.store %s, %C[] : memref<f32>
  }
  scf.for %k = %c0 to %c16 step %c1 {
    %a = memref.load %D[%k] : memref<33xf32>
    %c = memref.load %D[%i] : memref<33xf32>
    %s = arith.addf %c, %a : f32
    memref.store %s, %D[%i] : memref<33xf32>
  }
  scf.for %k = %c0 to %c16 step %c1 {
    %a = memref.load %D[%k] : memref<33xf32>
    %n = arith.negf %a : f32
    %c = memref.load %C[] : memref<f32>
    %s = arith.addf %c, %n : f32
    memref.store %s, %C[] : memref<f32>
  }
  return
}

// The number of iterations is at most 32: lanes that are off have the identity.
// CHECK-LABEL: func.func @at_most
// CHECK:         %[[N:.+]] = arith.minsi %arg2, %c32
// CHECK:         scf.if
// CHECK:           %[[FIRST:.+]] = vector.create_mask
// CHECK:           %[[A:.+]] = vector.maskedload %arg0[%{{.+}}], %[[FIRST]], %{{.+}} : memref<32xf32>, vector<16xi1>, vector<16xf32> into vector<16xf32>
// CHECK:           %[[SECOND:.+]] = vector.create_mask
// CHECK:           %[[B:.+]] = vector.maskedload %arg0[%{{.+}}], %[[SECOND]], %{{.+}} : memref<32xf32>, vector<16xi1>, vector<16xf32> into vector<16xf32>
// CHECK:           %[[BOTH:.+]] = arith.maximumf %[[A]], %[[B]] : vector<16xf32>
// CHECK:           vector.reduction <maximumf>, %[[BOTH]]
// CHECK-NOT:     scf.for
func.func @at_most(%A: memref<32xf32>, %C: memref<f32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %most = arith.minsi %n, %c32 : index
  scf.for %k = %c0 to %most step %c1 {
    %a = memref.load %A[%k] : memref<32xf32>
    %c = memref.load %C[] : memref<f32>
    %s = arith.maximumf %c, %a : f32
    memref.store %s, %C[] : memref<f32>
  }
  return
}
