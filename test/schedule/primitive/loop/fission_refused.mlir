// RUN: lw-opt %s -verify-diagnostics --sched-expect-refusal

// expected-error @+1 {{fission: there is no schedule block "X", there are "A" (C1)}}
func.func @fission_c1_no_block() attributes {refused = "fission 'X' in %f"} {
  loop.for serial %i in 4 { loop.block "A" [%v: spatial 4] = (%i) {} }
  return
}

func.func @fission_c2_few_loops() attributes {refused = "fission 'B' in %f levels 2"} {
  loop.for serial %i in 4 {
    loop.block "A" [%v: spatial 4] = (%i) {}
    // expected-error @+1 {{fission: 1 loops directly enclose "B", levels is 2: expected 1 to that many (C2)}}
    loop.block "B" [%v: spatial 4] = (%i) {}
  }
  return
}

func.func @fission_c2_annotated() attributes {refused = "fission 'B' in %f"} {
  // expected-error @+1 {{fission: loop "i" has the annotation "note", which would be lost: unannotate it first (C2)}}
  loop.for serial %i in 4 attributes {loop.annotations = {note = 1 : i64}} {
    loop.block "A" [%v: spatial 4] = (%i) {}
    loop.block "B" [%v: spatial 4] = (%i) {}
  }
  return
}

func.func @fission_c3_first() attributes {refused = "fission 'A' in %f"} {
  loop.for serial %i in 4 {
    // expected-error @+1 {{fission: "A" is the first statement in loop "A:i": there is nothing to divide it from (C3)}}
    loop.block "A" [%v: spatial 4] = (%i) {}
    loop.block "B" [%v: spatial 4] = (%i) {}
  }
  return
}

// The first part reads what the second one wrote an iteration earlier.
func.func @fission_c4_reads_back(%A: memref<5xf32>, %B: memref<4xf32>) attributes {refused = "fission 'C' in %f"} {
  // expected-note @+1 {{the loop is here}}
  loop.for serial %i in 4 {
    loop.block "P" [%v: spatial 4] = (%i) reads(%A[%v : 1]) writes(%B[%v : 1]) {
      %a = memref.load %A[%v] : memref<5xf32>
      memref.store %a, %B[%v] : memref<4xf32>
    }
    // expected-error @+1 {{fission: it is not proved that "C" and the statements after it may run after all iterations of those before them in loop "P:i": iteration i = 1 of "P" (reads) and iteration i = 0 of "C" (writes) both access "arg0"[1] (C4)}}
    loop.block "C" [%v: spatial 4] = (%i) writes(%A[%v + 1 : 1]) {
      %one = arith.constant 1.0 : f32
      %k = affine.apply affine_map<(d0) -> (d0 + 1)>(%v)
      memref.store %one, %A[%k] : memref<5xf32>
    }
  }
  return
}

// One element for all iterations.
func.func @fission_c4_one_cell(%A: memref<4xf32>, %B: memref<4xf32>, %T: memref<1xf32>)
    attributes {refused = "fission 'C' in %f"} {
  // expected-note @+1 {{the loop is here}}
  loop.for serial %i in 4 {
    loop.block "P" [%v: spatial 4] = (%i) reads(%A[%v : 1]) writes(%T[0 : 1]) {
      %c0 = arith.constant 0 : index
      %a = memref.load %A[%v] : memref<4xf32>
      memref.store %a, %T[%c0] : memref<1xf32>
    }
    // expected-error @+1 {{fission: it is not proved that "C" and the statements after it may run after all iterations of those before them in loop "P:i": iteration i = 3 of "P" (writes) and iteration i = 2 of "C" (reads) both access "arg2"[0] (C4)}}
    loop.block "C" [%v: spatial 4] = (%i) reads(%T[0 : 1]) writes(%B[%v : 1]) {
      %c0 = arith.constant 0 : index
      %t = memref.load %T[%c0] : memref<1xf32>
      memref.store %t, %B[%v] : memref<4xf32>
    }
  }
  return
}

func.func @fission_c5_barrier() attributes {refused = "fission 'B' in %f"} {
  loop.for thread_bind[threadIdx.x] %i in 4 {
    loop.block "A" [%v: spatial 4] = (%i) {}
    // expected-note @+1 {{the barrier is here}}
    loop.sync
    // expected-error @+1 {{fission: loop "A:i" cannot be divided before "B": it contains a barrier (C5)}}
    loop.block "B" [%v: spatial 4] = (%i) {}
  }
  return
}

func.func @fission_c5_own_buffer(%A: memref<8xf32>) attributes {refused = "fission 'C' in %f"} {
  %L = loop.buffer "L" scope(local) : memref<1xf32>
  loop.for parallel %i in 8 {
    loop.block "P" [%v: spatial 8] = (%i) writes(%L[0 : 1]) {
      %c0 = arith.constant 0 : index
      %one = arith.constant 1.0 : f32
      memref.store %one, %L[%c0] : memref<1xf32>
    }
    // expected-error @+1 {{fission: loop "P:i" cannot be divided before "C": each iteration has its own "L" (C5)}}
    loop.block "C" [%v: spatial 8] = (%i) reads(%L[0 : 1]) writes(%A[%v : 1]) {
      %c0 = arith.constant 0 : index
      %a = memref.load %L[%c0] : memref<1xf32>
      memref.store %a, %A[%v] : memref<8xf32>
    }
  }
  return
}
