// RUN: lw-opt %s --split-input-file --verify-diagnostics --hint-graph

func.func @split(%A: memref<32xf32>) {
  loop.for serial %i in 4 {
    loop.for serial %j in 8 {
      // expected-error @below {{(C1) is scheduled: iter 'v' is bound to no loop of its own}}
      loop.block "B" [%v: spatial 32] = (%i * 8 + %j) writes(%A[%v : 1]) {
        %zero = arith.constant 0.0 : f32
        memref.store %zero, %A[%v] : memref<32xf32>
      }
    }
  }
  return
}

// -----

func.func @guarded(%A: memref<32xf32>) {
  loop.for serial %i in 32 {
    // expected-error @below {{(C1) is scheduled: it has a predicate}}
    loop.block "B" [%v: spatial 32] = (%i) where(-%i + 30 >= 0) writes(%A[%v : 1]) {
      %zero = arith.constant 0.0 : f32
      memref.store %zero, %A[%v] : memref<32xf32>
    }
  }
  return
}

// -----

func.func @parallel(%A: memref<32xf32>) {
  // expected-error @below {{(C1) is scheduled: it is parallel, expected a serial loop}}
  loop.for parallel %i in 32 {
    loop.block "B" [%v: spatial 32] = (%i) writes(%A[%v : 1]) {
      %zero = arith.constant 0.0 : f32
      memref.store %zero, %A[%v] : memref<32xf32>
    }
  }
  return
}

// -----

func.func @repeated(%A: memref<32xf32>) {
  // expected-error @below {{(C1) is scheduled: no iter is bound to it}}
  loop.for serial %r in 3 {
    loop.for serial %i in 32 {
      loop.block "B" [%v: spatial 32] = (%i) writes(%A[%v : 1]) {
        %zero = arith.constant 0.0 : f32
        memref.store %zero, %A[%v] : memref<32xf32>
      }
    }
  }
  return
}
