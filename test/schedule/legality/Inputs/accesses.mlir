// Diagonals: each element of a diagonal is overwritten.
// illegal: reorder ["D:j", "D:i"] -- the last write of a diagonal changes
// illegal: parallel "D:i" -- two rows write the same diagonal
// legal: parallel "D:j" -- the elements of a row are distinct
// legal: vectorize "D:j" factor 3 -- as above
// legal: fuse ["D:i", "D:j"] -- the execution order is unchanged
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
// A mixed-radix index is injective: d1 is at most 6, and the weight of d0 is 7.
// illegal: parallel "D:i" -- with 3 columns and stride 2, rows overlap
// legal: parallel "D:j" -- the elements of a row are distinct
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
// legal: parallel "D:i" -- all elements are distinct
// legal: reorder ["D:j", "D:i"] -- as above
// legal: bind "D:i" thread "blockIdx.x" -- as above
// legal: unroll "D:j" -- the execution order is unchanged
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
// A transpose in place, of all elements.
// illegal: reorder ["X:j", "X:i"] -- the other triangle would be copied
// illegal: parallel "X:i" -- other iterations read and write the row
// legal: fuse ["X:i", "X:j"] -- the execution order is unchanged
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
// legal: parallel "X:i" -- the upper triangle is only written, each element once
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
// A reversed binding, in place: the value of the last element propagates through all.
// illegal: parallel "B:i" -- an iteration reads what the previous one writes
// illegal: vectorize "B:i" factor 2 -- as above
// legal: split "B:i" factors [-1, 2] -- the execution order is unchanged
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
// illegal: parallel "B:i" -- the halves overlap
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
// The lower half is copied from the upper half: the distance is a dynamic size.
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
