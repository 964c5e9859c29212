// Only row 1 is written, from row 0: a store in a branch.
// legal: parallel "G:j" -- columns are independent
// illegal: parallel "G:i" -- row 1 reads itself while row 0 writes it
// legal: vectorize "G:j" factor 2 -- columns are independent
func.func @main(%n: index, %m: index, %A: memref<?x?xi32>) {
  loop.for serial %i in %n {
    loop.for serial %j in %m {
      loop.block "G" [%v: spatial %n, %w: spatial %m] = (%i, %j) reads(%A[*, *]) writes(%A[*, *]) {
        %to = affine.apply affine_map<(d0) -> (d0 + 1)>(%v)
        %a = memref.load %A[%v, %w] : memref<?x?xi32>
        loop.if (%v == 0) { memref.store %a, %A[%to, %w] : memref<?x?xi32> }
      }
    }
  }
  return
}
// -----
// A predicate separates readers and writers: elements 0 to 2 are computed from elements 3 to 5.
// legal: parallel "G:i" -- only three iterations satisfy the predicate
// legal: vectorize "G:i" factor 4 -- as above
// legal: bind "G:i" thread "threadIdx.x" -- as above
// legal: split "G:i" factors [-1, 2] -- the execution order is unchanged
func.func @main(%n: index, %A: memref<?xi32>) {
  loop.for serial %i in %n {
    loop.block "G" [%v: spatial %n] = (%i) where(-%i + 2 >= 0) reads(%A[*]) writes(%A[*]) {
      %at = affine.apply affine_map<(d0) -> (d0 + 3)>(%v)
      %a = memref.load %A[%at] : memref<?xi32>
      memref.store %a, %A[%v] : memref<?xi32>
    }
  }
  return
}
// -----
// Even iterations write, odd ones read what the previous one wrote.
// illegal: parallel "E:i" -- an odd iteration reads what the previous one writes
// legal: split "E:i" factors [-1, 2] -- the execution order is unchanged
func.func @main(%n: index, %A: memref<?xi32>, %B: memref<?xi32>) {
  loop.for serial %i in %n {
    loop.if (%i mod 2 == 0) {
      loop.block "E" [%v: spatial %n] = (%i) reads(%A[*]) writes(%B[*]) {
        %a = memref.load %A[%v] : memref<?xi32>
        memref.store %a, %B[%v] : memref<?xi32>
      }
    } else {
      loop.block "O" [%v: spatial %n] = (%i) reads(%B[*]) writes(%B[*]) {
        %at = affine.apply affine_map<(d0) -> (d0 - 1)>(%v)
        %a = memref.load %B[%at] : memref<?xi32>
        memref.store %a, %B[%v] : memref<?xi32>
      }
    }
  }
  return
}
// -----
// The lower triangle with its diagonal, computed from the upper one.
// legal: parallel "L:i" -- no other iteration reads the written elements
// legal: parallel "L:j" -- as above
// legal: vectorize "L:j" factor 2 -- as above
func.func @main(%n: index, %A: memref<?x?xi32>) {
  loop.for serial %i in %n {
    loop.for serial %j in affine_map<(d0) -> (d0 + 1)>(%i) {
      loop.block "L" [%v: spatial %n, %w: spatial %n] = (%i, %j) reads(%A[*, *]) writes(%A[*, *]) {
        %a = memref.load %A[%w, %v] : memref<?x?xi32>
        memref.store %a, %A[%v, %w] : memref<?x?xi32>
      }
    }
  }
  return
}
// -----
// The lower triangle, computed from the next row.
// illegal: parallel "L:i" -- the row below is overwritten
// legal: parallel "L:j" -- the elements of a row are independent
func.func @main(%n: index, %A: memref<?x?xi32>) {
  loop.for serial %i in %n {
    loop.for serial %j in affine_map<(d0) -> (d0 + 1)>(%i) {
      loop.block "L" [%v: spatial %n, %w: spatial %n] = (%i, %j) reads(%A[*, *]) writes(%A[*, *]) {
        %at = affine.apply affine_map<(d0) -> (d0 + 1)>(%v)
        %a = memref.load %A[%at, %w] : memref<?x?xi32>
        memref.store %a, %A[%v, %w] : memref<?x?xi32>
      }
    }
  }
  return
}
// -----
// A branch for large sizes, in which one block reads what the other writes, and a branch for small sizes.
// illegal: parallel "R:i" -- the next element is read before it is written
// legal: vectorize "R:i" -- each statement reads in all lanes before the next one writes
// legal: split "R:i" factors [-1, 2] -- the execution order is unchanged
func.func @main(%n: index, %A: memref<?xi32>, %B: memref<?xi32>) {
  loop.for serial %i in 5 {
    loop.if (%n - 3 >= 0) {
      loop.block "R" [%v: spatial 5] = (%i) reads(%A[*]) writes(%B[*]) {
        %at = affine.apply affine_map<(d0) -> (d0 + 1)>(%v)
        %a = memref.load %A[%at] : memref<?xi32>
        memref.store %a, %B[%v] : memref<?xi32>
      }
      loop.block "W" [%v: spatial 5] = (%i) writes(%A[*]) {
        %c = arith.constant 1 : i32
        memref.store %c, %A[%v] : memref<?xi32>
      }
    }
  }
  return
}
// -----
// Only one of the two branches runs, in every iteration.
// legal: parallel "L:i" -- the blocks never both run
func.func @main(%n: index, %A: memref<?xi32>, %B: memref<?xi32>) {
  loop.for serial %i in 5 {
    loop.if (%n - 3 >= 0) {
      loop.block "L" [%v: spatial 5] = (%i) reads(%A[*]) writes(%B[*]) {
        %at = affine.apply affine_map<(d0) -> (d0 + 1)>(%v)
        %a = memref.load %A[%at] : memref<?xi32>
        memref.store %a, %B[%v] : memref<?xi32>
      }
    } else {
      loop.block "S" [%v: spatial 5] = (%i) writes(%A[*]) {
        %c = arith.constant 1 : i32
        memref.store %c, %A[%v] : memref<?xi32>
      }
    }
  }
  return
}
