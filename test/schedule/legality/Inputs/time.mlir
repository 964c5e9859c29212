// The same elements repeatedly, each independently.
// legal: reorder ["U:i", "U:u"] -- elements are independent
// illegal: parallel "U:u" -- each time step writes all elements
// legal: parallel "U:i" -- elements are independent
// legal: fuse ["U:u", "U:i"] -- the execution order is unchanged
func.func @main(%t: index, %n: index, %A: memref<?xi32>) {
  loop.for serial %u in %t {
    loop.for serial %i in %n {
      loop.block "U" [%t0: opaque %t, %v: spatial %n] = (%u, %i) reads(%A[*]) writes(%A[*]) {
        %three = arith.constant 3 : i32
        %a = memref.load %A[%v] : memref<?xi32>
        %b = arith.muli %a, %three : i32
        %c = arith.index_cast %v : index to i32
        %d = arith.addi %b, %c : i32
        memref.store %d, %A[%v] : memref<?xi32>
      }
    }
  }
  return
}
// -----
// A stencil in time.
// illegal: reorder ["U:i", "U:u"] -- a time step reads the neighbours of the previous one
// illegal: parallel "U:i" -- iterations read neighbours that others write
// legal: split "U:u" factors [-1, 2] -- the execution order is unchanged
func.func @main(%t: index, %n: index, %A: memref<?xi32>) {
  loop.for serial %u in %t {
    loop.for serial %i in %n {
      loop.block "U" [%t0: opaque %t, %v: spatial %n] = (%u, %i) reads(%A[*]) writes(%A[*]) {
        %at = affine.apply affine_map<(d0) -> (d0 + 1)>(%v)
        %a = memref.load %A[%at] : memref<?xi32>
        %b = memref.load %A[%v] : memref<?xi32>
        %c = arith.muli %a, %b : i32
        memref.store %c, %A[%v] : memref<?xi32>
      }
    }
  }
  return
}
// -----
// A loop on which nothing depends, with a constant value: it repeats the same stores.
// legal: reorder ["R:i", "R:u"] -- the last store to an element has the same value
// illegal: parallel "R:u" -- two threads store to one element
// legal: parallel "R:i" -- elements are independent
func.func @main(%t: index, %n: index, %A: memref<?xi32>, %B: memref<?xi32>) {
  loop.for serial %u in %t {
    loop.for serial %i in %n {
      loop.block "R" [%v: spatial %n] = (%i) reads(%A[*]) writes(%B[*]) {
        %a = memref.load %A[%v] : memref<?xi32>
        memref.store %a, %B[%v] : memref<?xi32>
      }
    }
  }
  return
}
