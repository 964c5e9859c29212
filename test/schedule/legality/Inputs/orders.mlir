// Producer and consumer of one element.
// legal: parallel "T:i" -- each iteration accesses its own element
// legal: bind "T:i" thread "threadIdx.x" -- as above
// legal: vectorize "T:i" factor 4 -- as above
// legal: split "C:i" factors [-1, 4] -- the execution order is unchanged
func.func @main(%n: index, %A: memref<?xi32>, %B: memref<?xi32>, %C: memref<?xi32>) {
  loop.for serial %i in %n {
    loop.block "T" [%v: spatial %n] = (%i) reads(%A[*]) writes(%B[*]) {
      %a = memref.load %A[%v] : memref<?xi32>
      memref.store %a, %B[%v] : memref<?xi32>
    }
    loop.block "C" [%v: spatial %n] = (%i) reads(%B[*]) writes(%C[*]) {
      %a = memref.load %B[%v] : memref<?xi32>
      memref.store %a, %C[%v] : memref<?xi32>
    }
  }
  return
}
// -----
// The consumer reads the element of the previous iteration.
// illegal: parallel "T:i" -- an iteration reads what the previous one writes
// illegal: bind "C:i" thread "threadIdx.x" -- as above
// legal: vectorize "T:i" factor 4 -- in lockstep all lanes produce before any consumes
func.func @main(%n: index, %A: memref<?xi32>, %B: memref<?xi32>, %C: memref<?xi32>) {
  loop.for serial %i in %n {
    loop.block "T" [%v: spatial %n] = (%i) reads(%A[*]) writes(%B[*]) {
      %to = affine.apply affine_map<(d0) -> (d0 + 1)>(%v)
      %a = memref.load %A[%v] : memref<?xi32>
      memref.store %a, %B[%to] : memref<?xi32>
    }
    loop.block "C" [%v: spatial %n] = (%i) reads(%B[*]) writes(%C[*]) {
      %a = memref.load %B[%v] : memref<?xi32>
      memref.store %a, %C[%v] : memref<?xi32>
    }
  }
  return
}
// -----
// The consumer reads the element that the next iteration produces: the old value.
// illegal: parallel "T:i" -- the next iteration overwrites it
// illegal: vectorize "T:i" factor 4 -- in lockstep the next lane has overwritten it
// legal: split "T:i" factors [2, -1] -- the execution order is unchanged
func.func @main(%n: index, %A: memref<?xi32>, %B: memref<?xi32>, %C: memref<?xi32>) {
  loop.for serial %i in %n {
    loop.block "T" [%v: spatial %n] = (%i) reads(%A[*]) writes(%B[*]) {
      %a = memref.load %A[%v] : memref<?xi32>
      memref.store %a, %B[%v] : memref<?xi32>
    }
    loop.block "C" [%v: spatial %n] = (%i) reads(%B[*]) writes(%C[*]) {
      %from = affine.apply affine_map<(d0) -> (d0 + 1)>(%v)
      %a = memref.load %B[%from] : memref<?xi32>
      memref.store %a, %C[%v] : memref<?xi32>
    }
  }
  return
}
// -----
// A row reads its head: an imperfect nest.
// legal: parallel "H:i" -- each row has its own head
// legal: parallel "C:j" -- a row only reads its head
// legal: vectorize "C:j" factor 2 -- as above
func.func @main(%n: index, %m: index, %A: memref<?xi32>, %B: memref<?xi32>, %C: memref<?x?xi32>) {
  loop.for serial %i in %n {
    loop.block "H" [%v: spatial %n] = (%i) reads(%A[*]) writes(%B[*]) {
      %a = memref.load %A[%v] : memref<?xi32>
      memref.store %a, %B[%v] : memref<?xi32>
    }
    loop.for serial %j in %m {
      loop.block "C" [%v: spatial %n, %w: spatial %m] = (%i, %j) reads(%B[*]) writes(%C[*, *]) {
        %a = memref.load %B[%v] : memref<?xi32>
        memref.store %a, %C[%v, %w] : memref<?x?xi32>
      }
    }
  }
  return
}
// -----
// A row reads the head of the next one, before that is written.
// illegal: parallel "H:i" -- the next row overwrites it
// legal: parallel "C:j" -- a row only reads
func.func @main(%n: index, %m: index, %A: memref<?xi32>, %B: memref<?xi32>, %C: memref<?x?xi32>) {
  loop.for serial %i in %n {
    loop.block "H" [%v: spatial %n] = (%i) reads(%A[*]) writes(%B[*]) {
      %a = memref.load %A[%v] : memref<?xi32>
      memref.store %a, %B[%v] : memref<?xi32>
    }
    loop.for serial %j in %m {
      loop.block "C" [%v: spatial %n, %w: spatial %m] = (%i, %j) reads(%B[*]) writes(%C[*, *]) {
        %at = affine.apply affine_map<(d0) -> (d0 + 1)>(%v)
        %a = memref.load %B[%at] : memref<?xi32>
        memref.store %a, %C[%v, %w] : memref<?x?xi32>
      }
    }
  }
  return
}
// -----
// Two nests.
// legal: parallel "T:i" -- nests run one after the other
// legal: parallel "C:k" -- as above
// legal: vectorize "C:k" factor 3 -- as above
func.func @main(%n: index, %A: memref<?xi32>, %B: memref<?xi32>, %C: memref<?xi32>) {
  loop.for serial %i in %n {
    loop.block "T" [%v: spatial %n] = (%i) reads(%A[*]) writes(%B[*]) {
      %a = memref.load %A[%v] : memref<?xi32>
      memref.store %a, %B[%v] : memref<?xi32>
    }
  }
  loop.for serial %k in %n {
    loop.block "C" [%v: spatial %n] = (%k) reads(%B[*]) writes(%C[*]) {
      %a = memref.load %B[%v] : memref<?xi32>
      memref.store %a, %C[%v] : memref<?xi32>
    }
  }
  return
}
// -----
// The reader runs three times in a loop with other blocks, and doubles its result each time.
// illegal: reverse_compute_at "C" loop "P:i" -- it would run once
func.func @main(%A: memref<4xi32>, %T: memref<4xi32>, %C: memref<4xi32>, %D: memref<3xi32>) {
  loop.for serial %i in 4 {
    loop.block "P" [%v: spatial 4] = (%i) reads(%A[%v : 1]) writes(%T[%v : 1]) {
      %a = memref.load %A[%v] : memref<4xi32>
      memref.store %a, %T[%v] : memref<4xi32>
    }
  }
  loop.for serial %t in 3 {
    loop.block "D" [%w: spatial 3] = (%t) writes(%D[%w : 1]) {
      %one = arith.constant 1 : i32
      memref.store %one, %D[%w] : memref<3xi32>
    }
    loop.for serial %i in 4 {
      loop.block "C" [%v: spatial 4] = (%i) reads(%T[%v : 1], %C[%v : 1]) writes(%C[%v : 1]) {
        %t1 = memref.load %T[%v] : memref<4xi32>
        %c = memref.load %C[%v] : memref<4xi32>
        %d = arith.addi %c, %c : i32
        %s = arith.addi %d, %t1 : i32
        memref.store %s, %C[%v] : memref<4xi32>
      }
    }
  }
  return
}
