// In place, forwards: an element is read before it is overwritten.
// illegal: parallel "S:i" -- the next iteration overwrites what this one reads
// illegal: bind "S:i" thread "threadIdx.x" -- as above
// legal: vectorize "S:i" factor 4 -- in lockstep all lanes read before any writes, and later lanes write later elements
// legal: vectorize "S:i" factor 3 -- as above
// legal: split "S:i" factors [-1, 3] -- the execution order is unchanged
func.func @main(%n: index, %A: memref<?xi32>) {
  loop.for serial %i in %n {
    loop.block "S" [%v: spatial %n] = (%i) reads(%A[*]) writes(%A[*]) {
      %from = affine.apply affine_map<(d0) -> (d0 + 1)>(%v)
      %a = memref.load %A[%from] : memref<?xi32>
      memref.store %a, %A[%v] : memref<?xi32>
    }
  }
  return
}
// -----
// In place, backwards: an element is read after it was overwritten.
// illegal: vectorize "S:i" factor 4 -- lanes read elements before the previous lanes have written them
// illegal: parallel "S:i" -- an iteration reads what the previous one writes
// illegal: bind "S:i" thread "blockIdx.x" -- as above
// legal: split "S:i" factors [2, -1] -- the execution order is unchanged
func.func @main(%n: index, %A: memref<?xi32>) {
  loop.for serial %i in %n {
    loop.block "S" [%v: spatial %n] = (%i) reads(%A[*]) writes(%A[*]) {
      %to = affine.apply affine_map<(d0) -> (d0 + 1)>(%v)
      %a = memref.load %A[%v] : memref<?xi32>
      memref.store %a, %A[%to] : memref<?xi32>
    }
  }
  return
}
// -----
// Backwards by three elements.
// legal: vectorize "S:i" factor 3 -- three lanes do not access each other's elements
// legal: vectorize "S:i" factor 2 -- neither do two lanes
// illegal: vectorize "S:i" factor 4 -- the fourth lane reads what the first one writes
// illegal: parallel "S:i" -- iterations at distance three conflict
func.func @main(%n: index, %A: memref<?xi32>) {
  loop.for serial %i in %n {
    loop.block "S" [%v: spatial %n] = (%i) reads(%A[*]) writes(%A[*]) {
      %to = affine.apply affine_map<(d0) -> (d0 + 3)>(%v)
      %a = memref.load %A[%v] : memref<?xi32>
      memref.store %a, %A[%to] : memref<?xi32>
    }
  }
  return
}
// -----
// Even elements are computed from odd ones: they never overlap.
// legal: parallel "S:i" -- 2 v is never 2 w + 1
// legal: vectorize "S:i" factor 2 -- as above
// legal: bind "S:i" thread "threadIdx.x" -- as above
func.func @main(%n: index, %A: memref<?xi32>) {
  loop.for serial %i in %n {
    loop.block "S" [%v: spatial %n] = (%i) reads(%A[*]) writes(%A[*]) {
      %from = affine.apply affine_map<(d0) -> (d0 * 2 + 1)>(%v)
      %to = affine.apply affine_map<(d0) -> (d0 * 2)>(%v)
      %a = memref.load %A[%from] : memref<?xi32>
      memref.store %a, %A[%to] : memref<?xi32>
    }
  }
  return
}
// -----
// Even elements are computed from even ones.
// illegal: parallel "S:i" -- 2 v + 2 is the element of the next iteration
// illegal: vectorize "S:i" factor 2 -- as above
func.func @main(%n: index, %A: memref<?xi32>) {
  loop.for serial %i in %n {
    loop.block "S" [%v: spatial %n] = (%i) reads(%A[*]) writes(%A[*]) {
      %from = affine.apply affine_map<(d0) -> (d0 * 2)>(%v)
      %to = affine.apply affine_map<(d0) -> (d0 * 2 + 2)>(%v)
      %a = memref.load %A[%from] : memref<?xi32>
      memref.store %a, %A[%to] : memref<?xi32>
    }
  }
  return
}
// -----
// Element 2 v is computed from element v.
// illegal: parallel "S:i" -- iteration 1 writes what iteration 2 reads
// illegal: vectorize "S:i" factor 4 -- as above
func.func @main(%n: index, %A: memref<?xi32>) {
  loop.for serial %i in %n {
    loop.block "S" [%v: spatial %n] = (%i) reads(%A[*]) writes(%A[*]) {
      %to = affine.apply affine_map<(d0) -> (d0 * 2)>(%v)
      %a = memref.load %A[%v] : memref<?xi32>
      memref.store %a, %A[%to] : memref<?xi32>
    }
  }
  return
}
// -----
// A plane, in place, from the previous row.
// legal: parallel "S:j" -- columns are independent
// legal: vectorize "S:j" factor 4 -- as above
// legal: bind "S:j" thread "threadIdx.x" -- as above
// illegal: parallel "S:i" -- a row reads the previous row
// legal: reorder ["S:j", "S:i"] -- the row order of each column is unchanged
func.func @main(%n: index, %m: index, %A: memref<?x?xi32>) {
  loop.for serial %i in %n {
    loop.for serial %j in %m {
      loop.block "S" [%v: spatial %n, %w: spatial %m] = (%i, %j) reads(%A[*, *]) writes(%A[*, *]) {
        %to = affine.apply affine_map<(d0) -> (d0 + 1)>(%v)
        %a = memref.load %A[%v, %w] : memref<?x?xi32>
        memref.store %a, %A[%to, %w] : memref<?x?xi32>
      }
    }
  }
  return
}
// -----
// A plane, in place, from the upper right: the dependence has direction (<, >).
// illegal: reorder ["S:j", "S:i"] -- the right neighbour is not computed yet
// legal: parallel "S:j" -- the elements of a row are independent
// illegal: parallel "S:i" -- a row reads the previous row
// legal: split "S:j" factors [-1, 2] -- the execution order is unchanged
func.func @main(%n: index, %m: index, %A: memref<?x?xi32>) {
  loop.for serial %i in %n {
    loop.for serial %j in %m {
      loop.block "S" [%v: spatial %n, %w: spatial %m] = (%i, %j) reads(%A[*, *]) writes(%A[*, *]) {
        %from = affine.apply affine_map<(d0) -> (d0 + 1)>(%w)
        %to = affine.apply affine_map<(d0) -> (d0 + 1)>(%v)
        %a = memref.load %A[%v, %from] : memref<?x?xi32>
        memref.store %a, %A[%to, %w] : memref<?x?xi32>
      }
    }
  }
  return
}
// -----
// A plane, in place, from the upper left: the dependence has direction (<, <).
// legal: reorder ["S:j", "S:i"] -- all dependence directions stay positive
// legal: fuse ["S:i", "S:j"] -- the execution order is unchanged
// legal: parallel "S:j" -- the elements of a row are independent
func.func @main(%n: index, %m: index, %A: memref<?x?xi32>) {
  loop.for serial %i in %n {
    loop.for serial %j in %m {
      loop.block "S" [%v: spatial %n, %w: spatial %m] = (%i, %j) reads(%A[*, *]) writes(%A[*, *]) {
        %down = affine.apply affine_map<(d0) -> (d0 + 1)>(%v)
        %right = affine.apply affine_map<(d0) -> (d0 + 1)>(%w)
        %a = memref.load %A[%v, %w] : memref<?x?xi32>
        memref.store %a, %A[%down, %right] : memref<?x?xi32>
      }
    }
  }
  return
}
// -----
// Elements that are read ahead are not written yet; after the store they are.
// legal: cache_read "S" buffer "A" scope "global" -- the copy has the old values, which are read
// legal: cache_read "S" buffer "A" scope "local" -- as above
// illegal: cache_read "U" buffer "B" scope "global" -- the read elements were written one iteration before
// illegal: cache_read "V" buffer "C" scope "global" -- the read elements were written just before
func.func @main(%n: index, %A: memref<?xi32> {loop.name = "A"}, %B: memref<?xi32> {loop.name = "B"}, %C: memref<?xi32> {loop.name = "C"}) {
  loop.for serial %i in %n {
    loop.block "S" [%v: spatial %n] = (%i) reads(%A[*]) writes(%A[*]) {
      %at = affine.apply affine_map<(d0) -> (d0 + 1)>(%v)
      %a = memref.load %A[%at] : memref<?xi32>
      memref.store %a, %A[%v] : memref<?xi32>
    }
  }
  loop.for serial %i in %n {
    loop.block "U" [%v: spatial %n] = (%i) reads(%B[*]) writes(%B[*]) {
      %at = affine.apply affine_map<(d0) -> (d0 + 1)>(%v)
      %a = memref.load %B[%v] : memref<?xi32>
      memref.store %a, %B[%at] : memref<?xi32>
    }
  }
  loop.for serial %i in %n {
    loop.block "V" [%v: spatial %n] = (%i) reads(%A[*], %C[*]) writes(%C[*]) {
      %a = memref.load %A[%v] : memref<?xi32>
      memref.store %a, %C[%v] : memref<?xi32>
      %c = memref.load %C[%v] : memref<?xi32>
      %twice = arith.addi %c, %c : i32
      memref.store %twice, %C[%v] : memref<?xi32>
    }
  }
  return
}
