// The first iteration of %t fills the buffer, both read it.
func.func @filled_once(%A: memref<8xf32> {loop.name = "A"}, %B: memref<2x8xf32> {loop.name = "B"}) {
  %F = loop.buffer "F" scope(global) : memref<8xf32>
  loop.for serial %t in 2 {
    loop.for serial %i in 8 {
      loop.if (%t == 0) {
        loop.block "F" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%F[%v : 1]) {
          %a = memref.load %A[%v] : memref<8xf32>
          memref.store %a, %F[%v] : memref<8xf32>
        }
      }
      loop.block "B" [%u: spatial 2, %v: spatial 8] = (%t, %i) reads(%F[%v : 1]) writes(%B[%u : 1, %v : 1]) {
        %f = memref.load %F[%v] : memref<8xf32>
        memref.store %f, %B[%u, %v] : memref<2x8xf32>
      }
    }
  }
  return
}
// Every fourth element, and the element after it.
func.func @every_fourth(%A: memref<8xf32> {loop.name = "A"}, %B: memref<8xf32> {loop.name = "B"}) {
  %L = loop.buffer "L" scope(local) : memref<36xf32>
  loop.block "L8" [] = () reads(%A[0 : 1]) writes(%L[32 : 1]) {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %a = memref.load %A[%c0] : memref<8xf32>
    memref.store %a, %L[%c32] : memref<36xf32>
  }
  loop.for serial %i in 8 {
    loop.block "L" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%L[%v * 4 : 1]) {
      %w = affine.apply affine_map<(d0) -> (d0 * 4)>(%v)
      %a = memref.load %A[%v] : memref<8xf32>
      memref.store %a, %L[%w] : memref<36xf32>
    }
  }
  loop.for serial %i in 8 {
    loop.block "B" [%v: spatial 8] = (%i) reads(%L[%v * 4 + 4 : 1]) writes(%B[%v : 1]) {
      %w = affine.apply affine_map<(d0) -> (d0 * 4 + 4)>(%v)
      %a = memref.load %L[%w] : memref<36xf32>
      memref.store %a, %B[%v] : memref<8xf32>
    }
  }
  return
}
// All iterations write, and each reads what the others have written.
func.func @behind(%A: memref<8xf32> {loop.name = "A"}, %B: memref<8xf32> {loop.name = "B"}) {
  %T = loop.buffer "T" scope(global) : memref<8xf32>
  loop.for parallel %i in 8 {
    loop.block "T" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%T[%v : 1]) {
      %a = memref.load %A[%v] : memref<8xf32>
      memref.store %a, %T[%v] : memref<8xf32>
    }
  }
  loop.for parallel %i in 8 {
    loop.block "B" [%v: spatial 8] = (%i) reads(%T[-%v + 7 : 1]) writes(%B[%v : 1]) {
      %w = affine.apply affine_map<(d0) -> (-d0 + 7)>(%v)
      %t = memref.load %T[%w] : memref<8xf32>
      memref.store %t, %B[%v] : memref<8xf32>
    }
  }
  return
}
// Its size is bounded by a condition.
func.func @bounded(%A: memref<?xf32> {loop.name = "A"}, %B: memref<?xf32> {loop.name = "B"}) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %A, %c0 : memref<?xf32>
  %T = loop.buffer "T" scope(local) (%n) : memref<?xf32>
  loop.if (-symbol(%n) + 100 >= 0) {
    loop.for parallel %i in 1 {
      loop.for serial %j in %n {
        loop.block "T" [%v: spatial %n] = (%j) reads(%A[%v : 1]) writes(%T[%v : 1]) {
          %a = memref.load %A[%v] : memref<?xf32>
          memref.store %a, %T[%v] : memref<?xf32>
        }
      }
      loop.for serial %j in %n {
        loop.block "B" [%v: spatial %n] = (%j) reads(%T[%v : 1]) writes(%B[%v : 1]) {
          %a = memref.load %T[%v] : memref<?xf32>
          memref.store %a, %B[%v] : memref<?xf32>
        }
      }
    }
  }
  return
}
