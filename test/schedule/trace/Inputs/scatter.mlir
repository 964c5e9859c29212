// C[I[i] mod n] = A[i]: if two indices are equal, the last store determines the result.
func.func @scatter(%I: memref<?xi64>, %A: memref<?xf32>, %C: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %l = memref.dim %I, %c0 : memref<?xi64>
  %n = memref.dim %C, %c0 : memref<?xf32>
  loop.for serial %i in %l {
    loop.block "S" [%v: opaque %l] = (%i) reads(%I[%v : 1], %A[%v : 1]) writes(%C[*]) {
      %a = memref.load %A[%v] : memref<?xf32>
      %x = memref.load %I[%v] : memref<?xi64>
      %y = arith.index_cast %x : i64 to index
      %z = arith.remui %y, %n : index
      memref.store %a, %C[%z] : memref<?xf32>
    }
  }
  return
}
