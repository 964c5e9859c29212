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
