// Rows divided by their last element, and by a constant.
func.func @quotients(%A: memref<6x8xf32>, %B: memref<6x8xf32>) attributes {loop.fp = "fast"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c6 = arith.constant 6 : index
  %c7 = arith.constant 7 : index
  %three = arith.constant dense<3.0> : vector<8xf32>
  scf.for %i = %c0 to %c6 step %c1 {
    %s = memref.load %A[%i, %c7] : memref<6x8xf32>
    %all = vector.broadcast %s : f32 to vector<8xf32>
    %x = vector.load %A[%i, %c0] : memref<6x8xf32>, vector<8xf32>
    %q = arith.divf %x, %all : vector<8xf32>
    %t = arith.divf %q, %three : vector<8xf32>
    vector.store %t, %B[%i, %c0] : memref<6x8xf32>, vector<8xf32>
  }
  return
}
