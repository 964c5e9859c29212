func.func @accumulated(%A: memref<8xf32>, %B: memref<?xf32>, %at: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %B, %c0 : memref<?xf32>
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.load %A[%at] : memref<8xf32>
    %b = memref.load %B[%i] : memref<?xf32>
    %s = arith.addf %a, %b : f32
    memref.store %s, %A[%c0] : memref<8xf32>
  }
  return
}
func.func @contracted(%A: memref<?xf32>, %B: memref<?xf32>, %C: memref<?xf32>) attributes {loop.fp = "fast"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %A, %c0 : memref<?xf32>
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.load %A[%i] : memref<?xf32>
    %b = memref.load %B[%i] : memref<?xf32>
    %c = memref.load %C[%i] : memref<?xf32>
    %p = arith.mulf %a, %b : f32
    %s = arith.subf %p, %c : f32
    memref.store %s, %C[%i] : memref<?xf32>
  }
  return
}
func.func @chunks(%A: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %A, %c0 : memref<?xf32>
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %a = memref.load %A[%i] : memref<?xf32>
    %d = arith.addf %a, %a : f32
    memref.store %d, %A[%i] : memref<?xf32>
  }
  return
}
func.func @joined(%A: memref<32xf32>, %B: memref<1xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  scf.for %i = %c0 to %c32 step %c1 {
    %a = memref.load %A[%i] : memref<32xf32>
    %b = memref.load %B[%c0] : memref<1xf32>
    %m = arith.maximumf %a, %b : f32
    memref.store %m, %B[%c0] : memref<1xf32>
  }
  return
}
func.func @turned(%A: memref<4x4xf32>, %B: memref<4x4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %l0_0 = memref.load %A[%c0, %c0] : memref<4x4xf32>
  %l0_1 = memref.load %A[%c1, %c0] : memref<4x4xf32>
  %l0_2 = memref.load %A[%c2, %c0] : memref<4x4xf32>
  %l0_3 = memref.load %A[%c3, %c0] : memref<4x4xf32>
  %v0 = vector.from_elements %l0_0, %l0_1, %l0_2, %l0_3 : vector<4xf32>
  vector.store %v0, %B[%c0, %c0] : memref<4x4xf32>, vector<4xf32>
  %l1_0 = memref.load %A[%c0, %c1] : memref<4x4xf32>
  %l1_1 = memref.load %A[%c1, %c1] : memref<4x4xf32>
  %l1_2 = memref.load %A[%c2, %c1] : memref<4x4xf32>
  %l1_3 = memref.load %A[%c3, %c1] : memref<4x4xf32>
  %v1 = vector.from_elements %l1_0, %l1_1, %l1_2, %l1_3 : vector<4xf32>
  vector.store %v1, %B[%c1, %c0] : memref<4x4xf32>, vector<4xf32>
  %l2_0 = memref.load %A[%c0, %c2] : memref<4x4xf32>
  %l2_1 = memref.load %A[%c1, %c2] : memref<4x4xf32>
  %l2_2 = memref.load %A[%c2, %c2] : memref<4x4xf32>
  %l2_3 = memref.load %A[%c3, %c2] : memref<4x4xf32>
  %v2 = vector.from_elements %l2_0, %l2_1, %l2_2, %l2_3 : vector<4xf32>
  vector.store %v2, %B[%c2, %c0] : memref<4x4xf32>, vector<4xf32>
  %l3_0 = memref.load %A[%c0, %c3] : memref<4x4xf32>
  %l3_1 = memref.load %A[%c1, %c3] : memref<4x4xf32>
  %l3_2 = memref.load %A[%c2, %c3] : memref<4x4xf32>
  %l3_3 = memref.load %A[%c3, %c3] : memref<4x4xf32>
  %v3 = vector.from_elements %l3_0, %l3_1, %l3_2, %l3_3 : vector<4xf32>
  vector.store %v3, %B[%c3, %c0] : memref<4x4xf32>, vector<4xf32>
  return
}
