// Diagonals: cells of one diagonal are overwritten.
// illegal: reorder ["D:j", "D:i"] -- another instance is the last of a diagonal
// illegal: parallel "D:i" -- two rows write one diagonal
// legal: parallel "D:j" -- of one row all cells are different
// legal: vectorize "D:j" factor 3 -- as above
// legal: fuse ["D:i", "D:j"] -- the order stays
func.func @main(%n: index, %m: index, %A: memref<?x?xi32>, %B: memref<?xi32>) {
  loop.for serial %i in %n {
    loop.for serial %j in %m {
      loop.block "D" [%v: spatial %n, %w: spatial %m] = (%i, %j) reads(%A[*, *]) writes(%B[*]) {
        %at = affine.apply affine_map<(d0, d1) -> (d0 + d1)>(%v, %w)
        %a = memref.load %A[%v, %w] : memref<?x?xi32>
        memref.store %a, %B[%at] : memref<?xi32>
      }
    }
  }
  return
}
// -----
// Cells are told apart by mixed radix: d1 is at most 6, and the weight of d0 is 7.
// illegal: parallel "D:i" -- with 3 columns and weight 2 rows overlap
// legal: parallel "D:j" -- of one row all cells are different
func.func @main(%n: index, %m: index, %A: memref<?x?xi32>, %B: memref<?xi32>) {
  loop.for serial %i in %n {
    loop.for serial %j in %m {
      loop.block "D" [%v: spatial %n, %w: spatial %m] = (%i, %j) reads(%A[*, *]) writes(%B[*]) {
        %at = affine.apply affine_map<(d0, d1) -> (d0 * 2 + d1)>(%v, %w)
        %a = memref.load %A[%v, %w] : memref<?x?xi32>
        memref.store %a, %B[%at] : memref<?xi32>
      }
    }
  }
  return
}
// -----
// Mixed radix: 2 v + w with w less than 2.
// legal: parallel "D:i" -- all cells are different
// legal: reorder ["D:j", "D:i"] -- as above
// legal: bind "D:i" thread "blockIdx.x" -- as above
// legal: unroll "D:j" -- the order stays
func.func @main(%n: index, %A: memref<?x?xi32>, %B: memref<?xi32>) {
  loop.for serial %i in %n {
    loop.for serial %j in 2 {
      loop.block "D" [%v: spatial %n, %w: spatial 2] = (%i, %j) reads(%A[*, *]) writes(%B[*]) {
        %at = affine.apply affine_map<(d0, d1) -> (d0 * 2 + d1)>(%v, %w)
        %a = memref.load %A[%v, %w] : memref<?x?xi32>
        memref.store %a, %B[%at] : memref<?xi32>
      }
    }
  }
  return
}
// -----
// A transpose in place, of all cells.
// illegal: reorder ["X:j", "X:i"] -- the other triangle is copied
// illegal: parallel "X:i" -- a row is read and written by others
// legal: fuse ["X:i", "X:j"] -- the order stays
func.func @main(%n: index, %A: memref<?x?xi32>) {
  loop.for serial %i in %n {
    loop.for serial %j in %n {
      loop.block "X" [%v: spatial %n, %w: spatial %n] = (%i, %j) reads(%A[*, *]) writes(%A[*, *]) {
        %a = memref.load %A[%v, %w] : memref<?x?xi32>
        memref.store %a, %A[%w, %v] : memref<?x?xi32>
      }
    }
  }
  return
}
// -----
// A transpose in place, of the lower triangle: nothing is read that was written.
// legal: parallel "X:i" -- the upper triangle is only written, each cell once
// legal: parallel "X:j" -- as above
// legal: vectorize "X:j" factor 2 -- as above
func.func @main(%n: index, %A: memref<?x?xi32>) {
  loop.for serial %i in %n {
    loop.for serial %j in affine_map<(d0) -> (d0)>(%i) {
      loop.block "X" [%v: spatial %n, %w: spatial %n] = (%i, %j) reads(%A[*, *]) writes(%A[*, *]) {
        %a = memref.load %A[%v, %w] : memref<?x?xi32>
        memref.store %a, %A[%w, %v] : memref<?x?xi32>
      }
    }
  }
  return
}
// -----
// Bound backwards, in place: the value of the last cell goes through all.
// illegal: parallel "B:i" -- an iteration reads what the one before writes
// illegal: vectorize "B:i" factor 2 -- as above
// legal: split "B:i" factors [-1, 2] -- the order stays
func.func @main(%n: index, %A: memref<?xi32>) {
  loop.for serial %i in %n {
    loop.block "B" [%v: spatial %n] = (-%i + symbol(%n) - 1) reads(%A[*]) writes(%A[*]) {
      %at = affine.apply affine_map<(d0) -> (d0 + 1)>(%v)
      %a = memref.load %A[%at] : memref<?xi32>
      memref.store %a, %A[%v] : memref<?xi32>
    }
  }
  return
}
// -----
// Mirrored in place: the second half reads what the first one wrote.
// illegal: parallel "B:i" -- the halves meet
// illegal: vectorize "B:i" factor 4 -- as above
func.func @main(%n: index, %A: memref<?xi32>) {
  loop.for serial %i in %n {
    loop.block "B" [%v: spatial %n] = (%i) reads(%A[*]) writes(%A[*]) {
      %at = affine.apply affine_map<(d0)[s0] -> (-d0 + s0 - 1)>(%v)[%n]
      %a = memref.load %A[%at] : memref<?xi32>
      memref.store %a, %A[%v] : memref<?xi32>
    }
  }
  return
}
// -----
// The lower half of the upper one: a distance of a size.
// legal: parallel "B:i" -- v + n is never less than n
// legal: vectorize "B:i" factor 4 -- as above
// legal: bind "B:i" thread "threadIdx.x" -- as above
func.func @main(%n: index, %A: memref<?xi32>) {
  loop.for serial %i in %n {
    loop.block "B" [%v: spatial %n] = (%i) reads(%A[*]) writes(%A[*]) {
      %at = affine.apply affine_map<(d0)[s0] -> (d0 + s0)>(%v)[%n]
      %a = memref.load %A[%at] : memref<?xi32>
      memref.store %a, %A[%v] : memref<?xi32>
    }
  }
  return
}
