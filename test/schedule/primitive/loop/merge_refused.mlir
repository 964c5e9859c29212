// RUN: lw-opt %s -verify-diagnostics --sched-expect-refusal

// expected-error @+1 {{merge: "j" names no loop, expected "block:loop" (C1)}}
func.func @merge_c1_no_loop_name() attributes {refused = "merge ['A:i', 'j'] in %f"} {
  loop.for serial %i in 4 { loop.block "A" [%v: spatial 4] = (%i) {} }
  loop.for serial %i in 4 { loop.block "B" [%v: spatial 4] = (%i) {} }
  return
}

func.func @merge_c1_one_loop() attributes {refused = "merge ['A:i'] in %f"} {
  // expected-error @+1 {{merge: found 1 loops, expected two or more (C1)}}
  loop.for serial %i in 4 { loop.block "A" [%v: spatial 4] = (%i) {} }
  return
}

func.func @merge_c1_twice() attributes {refused = "merge ['B:i', 'C:i'] in %f"} {
  loop.for serial %i in 4 { loop.block "A" [%v: spatial 4] = (%i) {} }
  // expected-error @+1 {{merge: loop "i" is given twice (C1)}}
  loop.for serial %i in 4 {
    loop.block "B" [%v: spatial 4] = (%i) {}
    loop.block "C" [%v: spatial 4] = (%i) {}
  }
  return
}

func.func @merge_c2_annotated() attributes {refused = "merge ['A:i', 'B:i'] in %f"} {
  loop.for serial %i in 4 { loop.block "A" [%v: spatial 4] = (%i) {} }
  // expected-error @+1 {{merge: loop "i" has the annotation "note", which would be lost: unannotate it first (C2)}}
  loop.for serial %i in 4 attributes {loop.annotations = {note = 1 : i64}} { loop.block "B" [%v: spatial 4] = (%i) {} }
  return
}

func.func @merge_c3_one_in_the_other() attributes {refused = "merge ['A:i', 'A:j'] in %f"} {
  // expected-note @+1 {{the first one is here}}
  loop.for serial %i in 4 {
    // expected-error @+1 {{merge: "A:i" and "A:j" cannot be fused: one is nested in the other, or they are in different loops (C3)}}
    loop.for serial %j in 4 { loop.block "A" [%v: spatial 4, %w: spatial 4] = (%i, %j) {} }
  }
  return
}

func.func @merge_c3_other_depth() attributes {refused = "merge ['A:i', 'B:j'] in %f"} {
  // expected-note @+1 {{the first one is here}}
  loop.for serial %i in 4 { loop.block "A" [%v: spatial 4] = (%i) {} }
  loop.for serial %i in 4 {
    // expected-error @+1 {{merge: "A:i" and "B:j" cannot be fused: found 2 loops, expected 1 (C3)}}
    loop.for serial %j in 4 { loop.block "B" [%v: spatial 4, %w: spatial 4] = (%i, %j) {} }
  }
  return
}

func.func @merge_c3_something_between() attributes {refused = "merge ['A:i', 'C:i'] in %f"} {
  // expected-note @+1 {{the first one is here}}
  loop.for serial %i in 4 { loop.block "A" [%v: spatial 4] = (%i) {} }
  loop.for serial %i in 5 { loop.block "B" [%v: spatial 5] = (%i) {} }
  // expected-error @+1 {{merge: "A:i" and "C:i" cannot be fused: they are not consecutive (C3)}}
  loop.for serial %i in 4 { loop.block "C" [%v: spatial 4] = (%i) {} }
  return
}

func.func @merge_c3_extents() attributes {refused = "merge ['A:i', 'B:i'] in %f"} {
  // expected-note @+1 {{the first one is here}}
  loop.for serial %i in 4 { loop.block "A" [%v: spatial 4] = (%i) {} }
  // expected-error @+1 {{merge: "A:i" and "B:i" cannot be fused: loops "i" and "i" have the extents 4 and 5 (C3)}}
  loop.for serial %i in 5 { loop.block "B" [%v: spatial 5] = (%i) {} }
  return
}

func.func @merge_c3_kinds() attributes {refused = "merge ['A:i', 'B:i'] in %f"} {
  // expected-note @+1 {{the first one is here}}
  loop.for serial %i in 4 { loop.block "A" [%v: spatial 4] = (%i) {} }
  // expected-error @+1 {{merge: "A:i" and "B:i" cannot be fused: loop "i" is serial, "i" is parallel (C3)}}
  loop.for parallel %i in 4 { loop.block "B" [%v: spatial 4] = (%i) {} }
  return
}

func.func @merge_c3_lanes() attributes {refused = "merge ['A:i', 'B:i'] in %f"} {
  // expected-note @+1 {{the first one is here}}
  loop.for vectorize %i in 4 { loop.block "A" [%v: spatial 4] = (%i) {} }
  // expected-error @+1 {{merge: "A:i" and "B:i" cannot be fused: the lanes of "B:i" would be merged (C3)}}
  loop.for vectorize %i in 4 { loop.block "B" [%v: spatial 4] = (%i) {} }
  return
}

func.func @merge_c3_more_than_loops() attributes {refused = "merge ['A:j', 'B:j'] in %f"} {
  loop.for serial %i in 4 {
    // expected-note @+1 {{the first one is here}}
    loop.for serial %j in 4 { loop.block "A" [%v: spatial 4, %w: spatial 4] = (%i, %j) {} }
    loop.block "X" [%v: spatial 4] = (%i) {}
  }
  loop.for serial %i in 4 {
    // expected-error @+1 {{merge: "A:j" and "B:j" cannot be fused: at depth 1, there is more than one statement (C3)}}
    loop.for serial %j in 4 { loop.block "B" [%v: spatial 4, %w: spatial 4] = (%i, %j) {} }
  }
  return
}

func.func @merge_c4_backwards(%A: memref<8xf32>, %B: memref<8xf32>)
    attributes {refused = "merge ['P:i', 'C:i'] in %f"} {
  // expected-note @+1 {{the first one is here}}
  loop.for serial %i in 8 {
    loop.block "P" [%v: spatial 8] = (%i) writes(%A[%v : 1]) {
      %one = arith.constant 1.0 : f32
      memref.store %one, %A[%v] : memref<8xf32>
    }
  }
  // expected-error @+1 {{merge: it is not proved that what "C:i" does stays after what "P:i" does: iteration i = 4 of "P" (writes) and iteration i = 3 of "C" (reads) both access "arg0"[4] (C4)}}
  loop.for serial %i in 8 {
    loop.block "C" [%v: spatial 8] = (%i) reads(%A[-%v + 7 : 1]) writes(%B[%v : 1]) {
      %k = affine.apply affine_map<(d0) -> (-d0 + 7)>(%v)
      %a = memref.load %A[%k] : memref<8xf32>
      memref.store %a, %B[%v] : memref<8xf32>
    }
  }
  return
}

// The third nest reads what the first one writes later, although the third and the second are independent.
func.func @merge_c4_first_and_third(%A: memref<8xf32>, %B: memref<8xf32>, %C: memref<8xf32>)
    attributes {refused = "merge ['P:i', 'Q:i', 'C:i'] in %f"} {
  // expected-note @+1 {{the first one is here}}
  loop.for serial %i in 8 {
    loop.block "P" [%v: spatial 8] = (%i) writes(%A[%v : 1]) {
      %one = arith.constant 1.0 : f32
      memref.store %one, %A[%v] : memref<8xf32>
    }
  }
  loop.for serial %i in 8 {
    loop.block "Q" [%v: spatial 8] = (%i) writes(%C[%v : 1]) {
      %one = arith.constant 1.0 : f32
      memref.store %one, %C[%v] : memref<8xf32>
    }
  }
  // expected-error @+1 {{merge: it is not proved that what "C:i" does stays after what "P:i" does: iteration i = 4 of "P" (writes) and iteration i = 3 of "C" (reads) both access "arg0"[4] (C4)}}
  loop.for serial %i in 8 {
    loop.block "C" [%v: spatial 8] = (%i) reads(%A[-%v + 7 : 1]) writes(%B[%v : 1]) {
      %k = affine.apply affine_map<(d0) -> (-d0 + 7)>(%v)
      %a = memref.load %A[%k] : memref<8xf32>
      memref.store %a, %B[%v] : memref<8xf32>
    }
  }
  return
}

func.func @merge_c5_barrier(%A: memref<8xf32>) attributes {refused = "merge ['A:i', 'B:i'] in %f"} {
  // expected-note @+1 {{the first one is here}}
  loop.for thread_bind[threadIdx.x] %i in 4 { loop.block "A" [%v: spatial 4] = (%i) {} loop.sync }
  // expected-error @+1 {{merge: "A:i" and "B:i" cannot be fused: they contain a barrier (C5)}}
  loop.for thread_bind[threadIdx.x] %i in 4 { loop.block "B" [%v: spatial 4] = (%i) {} }
  return
}

func.func @merge_c5_own_buffer(%A: memref<8xf32>) attributes {refused = "merge ['P:i', 'C:i'] in %f"} {
  %L = loop.buffer "L" scope(local) : memref<1xf32>
  // expected-note @+1 {{the first one is here}}
  loop.for parallel %i in 8 {
    loop.block "P" [%v: spatial 8] = (%i) writes(%L[0 : 1]) {
      %c0 = arith.constant 0 : index
      %one = arith.constant 1.0 : f32
      memref.store %one, %L[%c0] : memref<1xf32>
    }
  }
  // expected-error @+1 {{merge: "P:i" and "C:i" cannot be fused: each iteration has its own "L" (C5)}}
  loop.for parallel %i in 8 {
    loop.block "C" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%L[0 : 1]) {
      %c0 = arith.constant 0 : index
      %a = memref.load %A[%v] : memref<8xf32>
      memref.store %a, %L[%c0] : memref<1xf32>
    }
  }
  return
}

// Two kernels in which other threads read what is written: one kernel would have no barrier between.
func.func @merge_c4_threads_inside(%A: memref<4x8xf32>, %B: memref<4x8xf32>)
    attributes {refused = "merge ['P:b', 'C:b'] in %f"} {
  // expected-note @+1 {{the first one is here}}
  loop.for thread_bind[blockIdx.x] %b in 4 {
    loop.for thread_bind[threadIdx.x] %t in 8 {
      loop.block "P" [%v: spatial 4, %w: spatial 8] = (%b, %t) writes(%A[%v : 1, %w : 1]) {
        %one = arith.constant 1.0 : f32
        memref.store %one, %A[%v, %w] : memref<4x8xf32>
      }
    }
  }
  // expected-error @+1 {{merge: it is not proved that what "C:b" does stays after what "P:b" does: iterations b = 0, t = 0 of "P" (writes) and iterations b = 0, t = 7 of "C" (reads) both access "arg0"[0, 0] (C4)}}
  loop.for thread_bind[blockIdx.x] %b in 4 {
    loop.for thread_bind[threadIdx.x] %t in 8 {
      loop.block "C" [%v: spatial 4, %w: spatial 8] = (%b, %t) reads(%A[%v : 1, -%w + 7 : 1]) writes(%B[%v : 1, %w : 1]) {
        %k = affine.apply affine_map<(d0) -> (-d0 + 7)>(%w)
        %a = memref.load %A[%v, %k] : memref<4x8xf32>
        memref.store %a, %B[%v, %w] : memref<4x8xf32>
      }
    }
  }
  return
}
