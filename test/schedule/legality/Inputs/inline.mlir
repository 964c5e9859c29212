// A producer and its reader.
// legal: compute_inline "T" -- computed where it is used
// legal: vectorize "T:i" factor 2 -- elements are independent
// legal: parallel "C:k" -- as above
func.func @main(%n: index, %A: memref<?xi32>, %C: memref<?xi32>) {
  %T = loop.buffer "T" scope(global) (%n) : memref<?xi32>
  loop.for serial %i in %n {
    loop.block "T" [%v: spatial %n] = (%i) reads(%A[*]) writes(%T[*]) {
      %a = memref.load %A[%v] : memref<?xi32>
      memref.store %a, %T[%v] : memref<?xi32>
    }
  }
  loop.for serial %k in %n {
    loop.block "C" [%v: spatial %n] = (%k) reads(%T[*]) writes(%C[*]) {
      %a = memref.load %T[%v] : memref<?xi32>
      memref.store %a, %C[%v] : memref<?xi32>
    }
  }
  return
}
// -----
// A reader in reverse order.
// legal: compute_inline "T" -- computed at the index that is read
// legal: parallel "T:i" -- elements are independent
func.func @main(%n: index, %A: memref<?xi32>, %C: memref<?xi32>) {
  %T = loop.buffer "T" scope(global) (%n) : memref<?xi32>
  loop.for serial %i in %n {
    loop.block "T" [%v: spatial %n] = (%i) reads(%A[*]) writes(%T[*]) {
      %a = memref.load %A[%v] : memref<?xi32>
      memref.store %a, %T[%v] : memref<?xi32>
    }
  }
  loop.for serial %k in %n {
    loop.block "C" [%v: spatial %n] = (%k) reads(%T[*]) writes(%C[*]) {
      %at = affine.apply affine_map<(d0)[s0] -> (-d0 + s0 - 1)>(%v)[%n]
      %a = memref.load %T[%at] : memref<?xi32>
      memref.store %a, %C[%v] : memref<?xi32>
    }
  }
  return
}
// -----
// The reader overwrites the producer's inputs: at its own index, and at the next one.
// legal: compute_inline "T" -- each element is read before it is written
// illegal: compute_inline "U" -- an element is written before it is read
func.func @main(%n: index, %A: memref<?xi32>, %B: memref<?xi32>) {
  %T = loop.buffer "T" scope(global) (%n) : memref<?xi32>
  %U = loop.buffer "U" scope(global) (%n) : memref<?xi32>
  loop.for serial %i in %n {
    loop.block "T" [%v: spatial %n] = (%i) reads(%A[*]) writes(%T[*]) {
      %a = memref.load %A[%v] : memref<?xi32>
      memref.store %a, %T[%v] : memref<?xi32>
    }
  }
  loop.for serial %i in %n {
    loop.block "C" [%v: spatial %n] = (%i) reads(%T[*]) writes(%A[*]) {
      %t = memref.load %T[%v] : memref<?xi32>
      %twice = arith.addi %t, %t : i32
      memref.store %twice, %A[%v] : memref<?xi32>
    }
  }
  loop.for serial %i in %n {
    loop.block "U" [%v: spatial %n] = (%i) reads(%B[*]) writes(%U[*]) {
      %b = memref.load %B[%v] : memref<?xi32>
      memref.store %b, %U[%v] : memref<?xi32>
    }
  }
  loop.for serial %i in %n {
    loop.block "D" [%v: spatial %n] = (%i) reads(%U[*]) writes(%B[*]) {
      %at = affine.apply affine_map<(d0) -> (d0 + 1)>(%v)
      %u = memref.load %U[%v] : memref<?xi32>
      memref.store %u, %B[%at] : memref<?xi32>
    }
  }
  return
}
// -----
// The producer's inputs are overwritten by concurrent iterations, or earlier in all iterations.
// illegal: compute_inline "T" -- iterations would read what others write
// legal: compute_inline "U" -- what it reads is written before and not overwritten
func.func @main(%n: index, %A: memref<?xi32>, %C: memref<?xi32>, %D: memref<?xi32>) {
  %T = loop.buffer "T" scope(global) (symbol(%n) + 1) : memref<?xi32>
  %U = loop.buffer "U" scope(global) (%n) : memref<?xi32>
  loop.for serial %i in affine_map<()[s0] -> (s0 + 1)>()[%n] {
    loop.block "T" [%v: spatial symbol(%n) + 1] = (%i) reads(%A[*]) writes(%T[*]) {
      %a = memref.load %A[%v] : memref<?xi32>
      memref.store %a, %T[%v] : memref<?xi32>
    }
  }
  loop.for parallel %i in %n {
    loop.block "C" [%v: spatial %n] = (%i) reads(%T[*]) writes(%C[*]) {
      %at = affine.apply affine_map<(d0) -> (d0 + 1)>(%v)
      %t = memref.load %T[%at] : memref<?xi32>
      memref.store %t, %C[%v] : memref<?xi32>
    }
    loop.block "W" [%v: spatial %n] = (%i) writes(%A[*]) {
      %three = arith.constant 3 : i32
      memref.store %three, %A[%v] : memref<?xi32>
    }
    loop.block "U" [%v: spatial %n] = (%i) reads(%A[*]) writes(%U[*]) {
      %a = memref.load %A[%v] : memref<?xi32>
      memref.store %a, %U[%v] : memref<?xi32>
    }
    loop.block "D" [%v: spatial %n] = (%i) reads(%U[*]) writes(%D[*]) {
      %u = memref.load %U[%v] : memref<?xi32>
      memref.store %u, %D[%v] : memref<?xi32>
    }
  }
  return
}
