// Doubled three times: the inner loop's variable is unused.
func.func @doubled(%A: memref<4xf32> {loop.name = "A"}) {
  loop.for serial %i in 4 {
    loop.for serial %r in 3 {
      loop.block "twice" [%vi: spatial 4] = (%i) reads(%A[%vi : 1]) writes(%A[%vi : 1]) {
        %a = memref.load %A[%vi] : memref<4xf32>
        %d = arith.addf %a, %a : f32
        memref.store %d, %A[%vi] : memref<4xf32>
      }
    }
  }
  return
}
// Both digits of %i are 0 if and only if %i is 0.
func.func @digits(%A: memref<8xf32> {loop.name = "A"}) {
  loop.for serial %i in 8 {
    loop.if (%i floordiv 4 == 0, %i mod 4 == 0) {
      loop.block "zero" [%vi: spatial 8] = (%i) reads() writes(%A[%vi : 1]) {
        %zero = arith.constant 0.0 : f32
        memref.store %zero, %A[%vi] : memref<8xf32>
      }
    }
  }
  return
}
// Two conditions on one variable.
func.func @branches(%A: memref<8xf32> {loop.name = "A"}, %B: memref<8xf32> {loop.name = "B"}) {
  loop.for serial %i in 8 {
    loop.if (%i - 3 >= 0) {
      loop.block "first" [%vi: spatial 8] = (%i) reads() writes(%A[%vi : 1]) {
        %zero = arith.constant 0.0 : f32
        memref.store %zero, %A[%vi] : memref<8xf32>
      }
    }
    loop.if (%i - 5 >= 0) {
      loop.block "second" [%vi: spatial 8] = (%i) reads() writes(%B[%vi : 1]) {
        %one = arith.constant 1.0 : f32
        memref.store %one, %B[%vi] : memref<8xf32>
      }
    }
  }
  return
}
func.func @pair(%A: memref<2xf32> {loop.name = "A"}) {
  loop.for serial %i in 2 {
    loop.block "negated" [%vi: spatial 2] = (%i) reads(%A[%vi : 1]) writes(%A[%vi : 1]) {
      %a = memref.load %A[%vi] : memref<2xf32>
      %n = arith.negf %a : f32
      memref.store %n, %A[%vi] : memref<2xf32>
    }
  }
  return
}
// Each buffer is read by the next block.
func.func @chain(%A: memref<4xf32> {loop.name = "A"}, %D: memref<4xf32> {loop.name = "D"}) {
  %T = loop.buffer "T" scope(global) : memref<4xf32>
  %U = loop.buffer "U" scope(global) : memref<4xf32>
  loop.for serial %i in 4 {
    loop.block "T" [%vi: spatial 4] = (%i) reads(%A[%vi : 1]) writes(%T[%vi : 1]) {
      %a = memref.load %A[%vi] : memref<4xf32>
      memref.store %a, %T[%vi] : memref<4xf32>
    }
  }
  loop.for serial %i in 4 {
    loop.block "U" [%vi: spatial 4] = (%i) reads(%T[%vi : 1]) writes(%U[%vi : 1]) {
      %t = memref.load %T[%vi] : memref<4xf32>
      memref.store %t, %U[%vi] : memref<4xf32>
    }
  }
  loop.for serial %i in 4 {
    loop.block "D" [%vi: spatial 4] = (%i) reads(%U[%vi : 1]) writes(%D[%vi : 1]) {
      %u = memref.load %U[%vi] : memref<4xf32>
      memref.store %u, %D[%vi] : memref<4xf32>
    }
  }
  return
}
// The condition bounds the loop.
func.func @bounded(%A: memref<8xf32> {loop.name = "A"}) {
  loop.for serial %i in 8 {
    loop.if (-%i + 5 >= 0) {
      loop.block "one" [%vi: spatial 8] = (%i) reads() writes(%A[%vi : 1]) {
        %one = arith.constant 1.0 : f32
        memref.store %one, %A[%vi] : memref<8xf32>
      }
    }
  }
  return
}

// The iter could be 15, but never is.
func.func @selects(%A: memref<8xf32>, %B: memref<16xf32> {loop.result}) {
  loop.for serial %i in 8 {
    loop.block "B" [%v: spatial 16] = (%i) reads(%A[%v : 1]) writes(%B[%v : 1]) {
      %c3 = arith.constant 3 : index
      %one = arith.constant 1.0 : f32
      %p = arith.cmpi ne, %v, %c3 : index
      %a = memref.load %A[%v] : memref<8xf32>
      %s = arith.select %p, %a, %one : f32
      memref.store %s, %B[%v] : memref<16xf32>
    }
  }
  return
}

// A function with two results, one of which is subtracted from the other.
func.func private @two(%x: f32) -> (f32, f32) {
  %half = arith.constant 0.5 : f32
  %h = arith.mulf %x, %half : f32
  %s = arith.addf %x, %x : f32
  return %h, %s : f32, f32
}
func.func @calls(%A: memref<8xf32>, %B: memref<8xf32> {loop.result}) {
  loop.for serial %i in 8 {
    loop.block "B" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%B[%v : 1]) {
      %a = memref.load %A[%v] : memref<8xf32>
      %r:2 = func.call @two(%a) : (f32) -> (f32, f32)
      %d = arith.subf %r#0, %r#1 : f32
      memref.store %d, %B[%v] : memref<8xf32>
    }
  }
  return
}
