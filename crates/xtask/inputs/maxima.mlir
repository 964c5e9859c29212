// The greatest number of each column, and the least of all of these.
func.func @maxima(%A: memref<6x8xf32>, %B: memref<8xf32>, %C: memref<f32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c6 = arith.constant 6 : index
  %low = arith.constant dense<0xFF800000> : vector<8xf32>
  %high = arith.constant 0x7F800000 : f32
  %max = scf.for %i = %c0 to %c6 step %c1 iter_args(%m = %low) -> (vector<8xf32>) {
    %x = vector.load %A[%i, %c0] : memref<6x8xf32>, vector<8xf32>
    %new = arith.maxnumf %x, %m : vector<8xf32>
    scf.yield %new : vector<8xf32>
  }
  vector.store %max, %B[%c0] : memref<8xf32>, vector<8xf32>
  %min = vector.reduction <minnumf>, %max, %high : vector<8xf32> into f32
  memref.store %min, %C[] : memref<f32>
  return
}
