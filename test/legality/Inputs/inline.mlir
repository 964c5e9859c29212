// A producer and its reader.
// legal: compute_inline "T" -- computed where it is used
// legal: vectorize "T:i" factor 2 -- cells have nothing to do with each other
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
// A reader backwards.
// legal: compute_inline "T" -- at the place that is read
// legal: parallel "T:i" -- cells have nothing to do with each other
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
