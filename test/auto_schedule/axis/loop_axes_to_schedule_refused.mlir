// RUN: lw-opt %s --split-input-file --verify-diagnostics --loop-axes-to-schedule

func.func @main(%A: memref<9xf32>) {
  // expected-error @below {{(C1) has no axes: B:v is bound to i * 2 + j, which is no split or merge of loops}}
  loop.for serial %i in 4 {
    loop.for serial %j in 3 {
      loop.block "B" [%v: spatial 9] = (%i * 2 + %j) writes(%A[%v : 1]) {
        %zero = arith.constant 0.0 : f32
        memref.store %zero, %A[%v] : memref<9xf32>
      }
    }
  }
  return
}

// -----

// The error is found before anything changes: the first nest has axes.
func.func @main(%A: memref<4xf32>, %B: memref<4xf32>) {
  loop.for serial %i in 4 {
    loop.block "A" [%v: spatial 4] = (%i) writes(%A[%v : 1]) {
      %zero = arith.constant 0.0 : f32
      memref.store %zero, %A[%v] : memref<4xf32>
    }
  }
  // expected-error @below {{(C2) is a nest of 2 schedule blocks, expected one: axes do not state where a block is computed}}
  loop.for serial %i in 4 {
    loop.block "B" [%v: spatial 4] = (%i) writes(%B[%v : 1]) {
      %zero = arith.constant 0.0 : f32
      memref.store %zero, %B[%v] : memref<4xf32>
    }
    loop.block "D" [%v: spatial 4] = (%i) reads(%B[%v : 1]) writes(%A[%v : 1]) {
      %b = memref.load %B[%v] : memref<4xf32>
      memref.store %b, %A[%v] : memref<4xf32>
    }
  }
  return
}

// -----

func.func @main(%A: memref<4xf32>) {
  // expected-error @below {{(C2) is a block with nested blocks, expected one block}}
  loop.block "outer" [] = () writes(%A[0 : 4]) {
    loop.for serial %i in 4 {
      loop.block "B" [%v: spatial 4] = (%i) writes(%A[%v : 1]) {
        %zero = arith.constant 0.0 : f32
        memref.store %zero, %A[%v] : memref<4xf32>
      }
    }
  }
  return
}

// -----

func.func @main(%A: memref<4xf32>) {
  loop.for serial %i in 4 {
    // expected-error @below {{(C2) is neither a loop nor a schedule block}}
    loop.if (%i - 2 >= 0) {
      loop.block "B" [%v: spatial 4] = (%i) writes(%A[%v : 1]) {
        %zero = arith.constant 0.0 : f32
        memref.store %zero, %A[%v] : memref<4xf32>
      }
    }
  }
  return
}

// -----

func.func @main(%A: memref<4xf32>) {
  // expected-error @below {{(C3) has the annotation 'pragma', which axes do not state}}
  loop.for serial %i in 4 attributes {loop.annotations = {pragma = 4}} {
    loop.block "B" [%v: spatial 4] = (%i) writes(%A[%v : 1]) {
      %zero = arith.constant 0.0 : f32
      memref.store %zero, %A[%v] : memref<4xf32>
    }
  }
  return
}

// -----

func.func @main(%A: memref<4xf32>) {
  loop.for serial %i in 4 {
    // expected-error @below {{(C3) has the annotation 'nontemporal', which axes do not state}}
    loop.block "B" [%v: spatial 4] = (%i) writes(%A[%v : 1]) attributes {loop.annotations = {nontemporal = true}} {
      %zero = arith.constant 0.0 : f32
      memref.store %zero, %A[%v] : memref<4xf32>
    }
  }
  return
}

// -----

func.func @main(%A: memref<4xf32>) {
  // expected-error @below {{(C3) is bound to blockIdx.x and has one iteration, so that it has no axis}}
  loop.for thread_bind[blockIdx.x] %g in 1 {
    loop.for serial %i in 4 {
      loop.block "B" [%v: spatial 4] = (%g * 4 + %i) writes(%A[%v : 1]) {
        %zero = arith.constant 0.0 : f32
        memref.store %zero, %A[%v] : memref<4xf32>
      }
    }
  }
  return
}

// -----

func.func @main(%A: memref<4xf32>) {
  loop.for serial %i in 4 {
    // expected-error @below {{(C4) runs under a condition that is no tail of a split: i * -1 + 2 >= 0}}
    loop.block "B" [%v: spatial 4] = (%i) where(-%i + 2 >= 0) writes(%A[%v : 1]) {
      %zero = arith.constant 0.0 : f32
      memref.store %zero, %A[%v] : memref<4xf32>
    }
  }
  return
}

// -----

func.func @main(%A: memref<4xf32>) {
  loop.for serial %i in 4 {
    // expected-error @below {{(C4) runs under a condition that is no tail of a split: i + -2 == 0}}
    loop.block "B" [%v: spatial 4] = (%i) where(%i - 2 == 0) writes(%A[%v : 1]) {
      %zero = arith.constant 0.0 : f32
      memref.store %zero, %A[%v] : memref<4xf32>
    }
  }
  return
}

// -----

func.func @main(%A: memref<30xf32>) {
  // expected-error @below {{(C5) has the axis 'z0' with the tail peel, of which a part is in another nest}}
  loop.for serial %i in 3 {
    loop.for serial %j in 8 {
      loop.block "B" [%v: spatial 30] = (%i * 8 + %j) writes(%A[%v : 1]) {
        %zero = arith.constant 0.0 : f32
        memref.store %zero, %A[%v] : memref<30xf32>
      }
    }
  }
  return
}

// -----

func.func @main(%A: memref<?xf32>, %m: index, %n: index) {
  // expected-error @below {{(C6) has the axis 'z0', which is split by a size}}
  loop.for serial %i in %m {
    loop.for serial %j in %n {
      loop.block "B" [%v: spatial %m * symbol(%n)] = (%i * symbol(%n) + %j) writes(%A[%v : 1]) {
        %zero = arith.constant 0.0 : f32
        memref.store %zero, %A[%v] : memref<?xf32>
      }
    }
  }
  return
}
