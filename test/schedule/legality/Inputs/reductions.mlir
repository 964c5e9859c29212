// Sums of rows, of integers, with a start value.
// legal: parallel "R:i" -- rows are independent
// illegal: parallel "R:k" -- all iterations update one element
// legal: split "R:k" factors [-1, 2] -- the execution order is unchanged
// legal: vectorize "R:i" factor 2 -- rows are independent
func.func @main(%n: index, %m: index, %A: memref<?x?xi32>, %B: memref<?xi32>) {
  loop.for serial %i in %n {
    loop.for serial %k in %m {
      loop.block "R" [%v: spatial %n, %w: reduce %m] = (%i, %k) reads(%A[*, *]) writes(%B[*]) reducer(add, 0) {
        loop.init {
          %start = arith.constant 0 : i32
          memref.store %start, %B[%v] : memref<?xi32>
        }
        %a = memref.load %A[%v, %w] : memref<?x?xi32>
        %b = memref.load %B[%v] : memref<?xi32>
        %c = arith.addi %b, %a : i32
        memref.store %c, %B[%v] : memref<?xi32>
      }
    }
  }
  return
}
// -----
// Sums of rows, of floats, added to the existing values.
// legal: reorder ["R:k", "R:i"] -- the order of each sum is unchanged
// legal: parallel "R:i" -- rows are independent
// illegal: bind "R:k" thread "threadIdx.x" -- all iterations update one element
func.func @main(%n: index, %m: index, %A: memref<?x?xf32>, %B: memref<?xf32>) {
  loop.for serial %i in %n {
    loop.for serial %k in %m {
      loop.block "R" [%v: spatial %n, %w: reduce %m] = (%i, %k) reads(%A[*, *], %B[*]) writes(%B[*]) reducer(add, 0.0) {
        %a = memref.load %A[%v, %w] : memref<?x?xf32>
        %b = memref.load %B[%v] : memref<?xf32>
        %c = arith.addf %b, %a : f32
        memref.store %c, %B[%v] : memref<?xf32>
      }
    }
  }
  return
}
// -----
// The product of all elements, of integers.
// legal: reorder ["R:k", "R:i"] -- products of integers are exact
// illegal: parallel "R:i" -- all iterations update one element
// legal: fuse ["R:i", "R:k"] -- the execution order is unchanged
func.func @main(%n: index, %m: index, %A: memref<?x?xi32>, %B: memref<?xi32>) {
  loop.for serial %i in %n {
    loop.for serial %k in %m {
      loop.block "R" [%v: reduce %n, %w: reduce %m] = (%i, %k) reads(%A[*, *], %B[*]) writes(%B[*]) reducer(mul, 1) {
        %zero = arith.constant 0 : index
        %a = memref.load %A[%v, %w] : memref<?x?xi32>
        %b = memref.load %B[%zero] : memref<?xi32>
        %c = arith.muli %b, %a : i32
        memref.store %c, %B[%zero] : memref<?xi32>
      }
    }
  }
  return
}
// -----
// The sum of all elements, of floats.
// illegal: reorder ["R:k", "R:i"] -- sums of floats round, so the order matters
// legal: split "R:i" factors [-1, 2] -- the execution order is unchanged
// illegal: parallel "R:k" -- all iterations update one element
func.func @main(%n: index, %m: index, %A: memref<?x?xf32>, %B: memref<?xf32>) {
  loop.for serial %i in %n {
    loop.for serial %k in %m {
      loop.block "R" [%v: reduce %n, %w: reduce %m] = (%i, %k) reads(%A[*, *], %B[*]) writes(%B[*]) reducer(add, 0.0) {
        %zero = arith.constant 0 : index
        %a = memref.load %A[%v, %w] : memref<?x?xf32>
        %b = memref.load %B[%zero] : memref<?xf32>
        %c = arith.addf %b, %a : f32
        memref.store %c, %B[%zero] : memref<?xf32>
      }
    }
  }
  return
}
// -----
// The maximum of all elements, of floats.
// legal: reorder ["R:k", "R:i"] -- a maximum is exact
// illegal: parallel "R:i" -- all iterations update one element
func.func @main(%n: index, %m: index, %A: memref<?x?xf32>, %B: memref<?xf32>) {
  loop.for serial %i in %n {
    loop.for serial %k in %m {
      loop.block "R" [%v: reduce %n, %w: reduce %m] = (%i, %k) reads(%A[*, *], %B[*]) writes(%B[*]) reducer(max, 0xFF800000) {
        %zero = arith.constant 0 : index
        %a = memref.load %A[%v, %w] : memref<?x?xf32>
        %b = memref.load %B[%zero] : memref<?xf32>
        %c = arith.maximumf %b, %a : f32
        memref.store %c, %B[%zero] : memref<?xf32>
      }
    }
  }
  return
}
// -----
// An ordered reduction over rows.
// legal: parallel "R:i" -- rows are independent
// illegal: parallel "R:k" -- each step depends on the previous one
// legal: split "R:k" factors [2, -1] -- the execution order is unchanged
func.func @main(%n: index, %m: index, %A: memref<?x?xi32>, %B: memref<?xi32>) {
  loop.for serial %i in %n {
    loop.for serial %k in %m {
      loop.block "R" [%v: spatial %n, %w: reduce %m] = (%i, %k) reads(%A[*, *]) writes(%B[*]) reducer(ordered) {
        loop.init {
          %start = arith.constant 0 : i32
          memref.store %start, %B[%v] : memref<?xi32>
        }
        %a = memref.load %A[%v, %w] : memref<?x?xi32>
        %b = memref.load %B[%v] : memref<?xi32>
        %c = arith.subi %a, %b : i32
        memref.store %c, %B[%v] : memref<?xi32>
      }
    }
  }
  return
}
// -----
// An ordered reduction of all elements.
// illegal: reorder ["R:k", "R:i"] -- its order matters
// legal: fuse ["R:i", "R:k"] -- the execution order is unchanged
func.func @main(%n: index, %m: index, %A: memref<?x?xi32>, %B: memref<?xi32>) {
  loop.for serial %i in %n {
    loop.for serial %k in %m {
      loop.block "R" [%v: reduce %n, %w: reduce %m] = (%i, %k) reads(%A[*, *], %B[*]) writes(%B[*]) reducer(ordered) {
        %zero = arith.constant 0 : index
        %a = memref.load %A[%v, %w] : memref<?x?xi32>
        %b = memref.load %B[%zero] : memref<?xi32>
        %c = arith.subi %a, %b : i32
        memref.store %c, %B[%zero] : memref<?xi32>
      }
    }
  }
  return
}
// -----
// A strict sum of floats, over one loop and over two.
// legal: rfactor "R:k" -- each partial result has one value, so the order of additions is unchanged
// illegal: rfactor "S:k" -- the values of a partial result are added first
// illegal: rfactor "S:l" -- as above
func.func @main(%n: index, %A: memref<?x?xf32>, %B: memref<?xf32>, %C: memref<?xf32>) {
  loop.for serial %i in %n {
    loop.for serial %k in %n {
      loop.block "R" [%v: spatial %n, %w: reduce %n] = (%i, %k) reads(%A[*, *], %B[*]) writes(%B[*]) reducer(add, 0.0) {
        %a = memref.load %A[%v, %w] : memref<?x?xf32>
        %b = memref.load %B[%v] : memref<?xf32>
        %s = arith.addf %b, %a : f32
        memref.store %s, %B[%v] : memref<?xf32>
      }
    }
  }
  loop.for serial %k in %n {
    loop.for serial %l in 3 {
      loop.block "S" [%v: reduce %n, %w: reduce 3] = (%k, %l) reads(%A[*, *], %C[*]) writes(%C[*]) reducer(add, 0.0) {
        %zero = arith.constant 0 : index
        %a = memref.load %A[%v, %w] : memref<?x?xf32>
        %c = memref.load %C[%zero] : memref<?xf32>
        %s = arith.addf %c, %a : f32
        memref.store %s, %C[%zero] : memref<?xf32>
      }
    }
  }
  return
}
