// RUN: lw-opt %s -verify-diagnostics --sched-expect-refusal

// expected-error @+1 {{reorder_statements: there is no schedule block "X", there are "P", "C" (C1)}}
func.func @statements_c1_no_block(%A: memref<8xf32>, %B: memref<8xf32>)
    attributes {refused = "reorder_statements 'X' in %f before 'P:i'"} {
  loop.for serial %i in 8 {
    loop.block "P" [%v: spatial 8] = (%i) writes(%A[%v : 1]) {
      %x = arith.constant 1.0 : f32
      memref.store %x, %A[%v] : memref<8xf32>
    }
  }
  loop.for serial %i in 8 {
    loop.block "C" [%v: spatial 8] = (%i) writes(%A[%v : 1]) {
      %x = arith.constant 2.0 : f32
      memref.store %x, %A[%v] : memref<8xf32>
    }
  }
  return
}

func.func @statements_c2_order(%A: memref<8xf32>, %B: memref<8xf32>)
    attributes {refused = "reorder_statements 'P:i' in %f before 'C:i'"} {
  // expected-error @+1 {{reorder_statements: "P:i" is not a later sibling of "C:i" (C2)}}
  loop.for serial %i in 8 {
    loop.block "P" [%v: spatial 8] = (%i) writes(%A[%v : 1]) {
      %x = arith.constant 1.0 : f32
      memref.store %x, %A[%v] : memref<8xf32>
    }
  }
  // expected-note @+1 {{the other one is here}}
  loop.for serial %i in 8 {
    loop.block "C" [%v: spatial 8] = (%i) writes(%A[%v : 1]) {
      %x = arith.constant 2.0 : f32
      memref.store %x, %A[%v] : memref<8xf32>
    }
  }
  return
}

func.func @statements_c2_place(%A: memref<8xf32>, %B: memref<8xf32>)
    attributes {refused = "reorder_statements 'C' in %f before 'P:i'"} {
  // expected-note @+1 {{the other one is here}}
  loop.for serial %i in 8 {
    loop.block "P" [%v: spatial 8] = (%i) writes(%A[%v : 1]) {
      %x = arith.constant 1.0 : f32
      memref.store %x, %A[%v] : memref<8xf32>
    }
  }
  loop.for serial %i in 8 {
    // expected-error @+1 {{reorder_statements: "C" is not a later sibling of "P:i" (C2)}}
    loop.block "C" [%v: spatial 8] = (%i) writes(%A[%v : 1]) {
      %x = arith.constant 2.0 : f32
      memref.store %x, %A[%v] : memref<8xf32>
    }
  }
  return
}

func.func @statements_c3_effects(%A: memref<8xf32>, %B: memref<8xf32>)
    attributes {refused = "reorder_statements 'C:i' in %f before 'P:i'"} {
  loop.for serial %i in 8 {
    loop.block "P" [%v: spatial 8] = (%i) writes(%A[%v : 1]) {
      %x = arith.constant 1.0 : f32
      memref.store %x, %A[%v] : memref<8xf32>
    }
  }
  // expected-note @+1 {{it is here}}
  memref.copy %A, %B : memref<8xf32> to memref<8xf32>
  // expected-error @+1 {{reorder_statements: "C:i" would move past 'memref.copy' (C3)}}
  loop.for serial %i in 8 {
    loop.block "C" [%v: spatial 8] = (%i) writes(%B[%v : 1]) {
      %x = arith.constant 2.0 : f32
      memref.store %x, %B[%v] : memref<8xf32>
    }
  }
  return
}

func.func @statements_c4_cell(%A: memref<8xf32>, %B: memref<8xf32>)
    attributes {refused = "reorder_statements 'C:i' in %f before 'P:i'"} {
  // expected-note @+1 {{the other one is here}}
  loop.for serial %i in 8 {
    loop.block "P" [%v: spatial 8] = (%i) writes(%A[%v : 1]) {
      %x = arith.constant 1.0 : f32
      memref.store %x, %A[%v] : memref<8xf32>
    }
  }
  // expected-error @+1 {{reorder_statements: it is not proved that "C:i" may run before "P:i": iteration i = 0 of "P" (writes) and iteration i = 0 of "C" (writes) both access "arg0"[0] (C4)}}
  loop.for serial %i in 8 {
    loop.block "C" [%v: spatial 8] = (%i) writes(%A[%v : 1]) {
      %x = arith.constant 2.0 : f32
      memref.store %x, %A[%v] : memref<8xf32>
    }
  }
  return
}
