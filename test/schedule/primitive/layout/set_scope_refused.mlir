// RUN: lw-opt %s -verify-diagnostics --sched-expect-refusal

// expected-error @+1 {{set_scope: there is no buffer "U", there are "A", "B", "T" (C1)}}
func.func @c1_no_buffer(%A: memref<8xf32> {loop.name = "A"}, %B: memref<8xf32> {loop.name = "B"})
    attributes {refused = "set_scope 'U' in %f scope 'local'"} {
  %T = loop.buffer "T" scope(global) : memref<8xf32>
  loop.for serial %i in 8 {
    loop.block "P" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%T[%v : 1]) {
      %x = memref.load %A[%v] : memref<8xf32>
      memref.store %x, %T[%v] : memref<8xf32>
    }
  }
  loop.for serial %i in 8 {
    loop.block "Q" [%v: spatial 8] = (%i) reads(%T[%v : 1]) writes(%B[%v : 1]) {
      %x = memref.load %T[%v] : memref<8xf32>
      memref.store %x, %B[%v] : memref<8xf32>
    }
  }
  return
}

func.func @c1_argument(%A: memref<8xf32> {loop.name = "A"}, %B: memref<8xf32> {loop.name = "B"})
    attributes {refused = "set_scope 'A' in %f scope 'local'"} {
  loop.for serial %i in 8 {
    // expected-error @+1 {{set_scope: "A" is an argument of the function, so the caller decides its layout and scope (C1)}}
    loop.block "P" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%B[%v : 1]) {
      %x = memref.load %A[%v] : memref<8xf32>
      memref.store %x, %B[%v] : memref<8xf32>
    }
  }
  return
}

func.func @c2_scope(%A: memref<8xf32> {loop.name = "A"}, %B: memref<8xf32> {loop.name = "B"})
    attributes {refused = "set_scope 'T' in %f scope 'texture'"} {
  %T = loop.buffer "T" scope(global) : memref<8xf32>
  loop.for serial %i in 8 {
    // expected-error @+1 {{set_scope: "texture" is not a scope, expected global, shared or local (C2)}}
    loop.block "P" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%T[%v : 1]) {
      %x = memref.load %A[%v] : memref<8xf32>
      memref.store %x, %T[%v] : memref<8xf32>
    }
  }
  return
}

func.func @c4_other_loop(%A: memref<8xf32> {loop.name = "A"}, %B: memref<8xf32> {loop.name = "B"})
    attributes {refused = "set_scope 'T' in %f scope 'local'"} {
  %T = loop.buffer "T" scope(global) : memref<8xf32>
  // expected-note @+1 {{the loop is here}}
  loop.for parallel %i in 8 {
    loop.block "P" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%T[%v : 1]) {
      %x = memref.load %A[%v] : memref<8xf32>
      memref.store %x, %T[%v] : memref<8xf32>
    }
  }
  loop.for parallel %i in 8 {
    // expected-error @+1 {{set_scope: each iteration of loop "i" would have its own "T": schedule block "Q" accesses it elsewhere; proof "assume" takes it as true (C4)}}
    loop.block "Q" [%v: spatial 8] = (%i) reads(%T[%v : 1]) writes(%B[%v : 1]) {
      %x = memref.load %T[%v] : memref<8xf32>
      memref.store %x, %B[%v] : memref<8xf32>
    }
  }
  return
}

func.func @c4_other_iterations(%A: memref<8xf32>, %B: memref<8xf32>)
    attributes {refused = "set_scope 'T' in %f scope 'local'"} {
  %T = loop.buffer "T" scope(global) : memref<8xf32>
  // expected-note @+1 {{the loop is here}}
  loop.for thread_bind[threadIdx.x] %i in 4 {
    loop.for serial %j in 2 {
      loop.block "P" [%v: spatial 8] = (%i * 2 + %j) reads(%A[%v : 1]) writes(%T[%v : 1]) {
        %x = memref.load %A[%v] : memref<8xf32>
        memref.store %x, %T[%v] : memref<8xf32>
      }
    }
    loop.for serial %j in 2 {
      // expected-error @+1 {{set_scope: each iteration of loop "i" would have its own "T": cannot prove that schedule block "Q" reads there only what the same iteration has written before; proof "assume" takes it as true (C4)}}
      loop.block "Q" [%v: spatial 8] = (%i * 2 + %j) reads(%T[-%v + 7 : 1]) writes(%B[%v : 1]) {
        %0 = affine.apply affine_map<(d0) -> (7 - d0)>(%v)
        %x = memref.load %T[%0] : memref<8xf32>
        memref.store %x, %B[%v] : memref<8xf32>
      }
    }
  }
  return
}

func.func @c4_before_it_is_written(%A: memref<8xf32> {loop.name = "A"}, %B: memref<8xf32> {loop.name = "B"})
    attributes {refused = "set_scope 'T' in %f scope 'local'"} {
  %T = loop.buffer "T" scope(global) : memref<8xf32>
  // expected-note @+1 {{the loop is here}}
  loop.for parallel %i in 8 {
    // expected-error @+1 {{set_scope: each iteration of loop "i" would have its own "T": cannot prove that schedule block "Q" reads there only what the same iteration has written before; proof "assume" takes it as true (C4)}}
    loop.block "Q" [%v: spatial 8] = (%i) reads(%T[%v : 1]) writes(%B[%v : 1]) {
      %x = memref.load %T[%v] : memref<8xf32>
      memref.store %x, %B[%v] : memref<8xf32>
    }
    loop.block "P" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%T[%v : 1]) {
      %x = memref.load %A[%v] : memref<8xf32>
      memref.store %x, %T[%v] : memref<8xf32>
    }
  }
  return
}

// Each thread reads what its neighbour has written.
func.func @c4_of_other_threads(%A: memref<8xf32>, %B: memref<8xf32>)
    attributes {refused = "set_scope 'T' in %f scope 'local'"} {
  %T = loop.buffer "T" scope(shared) : memref<8xf32>
  loop.for thread_bind[blockIdx.x] %b in 1 {
    // expected-note @+1 {{the loop is here}}
    loop.for thread_bind[threadIdx.x] %i in 8 {
      loop.block "P" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%T[%v : 1]) {
        %x = memref.load %A[%v] : memref<8xf32>
        memref.store %x, %T[%v] : memref<8xf32>
      }
    }
    loop.sync
    loop.for thread_bind[threadIdx.x] %i in 8 {
      // expected-error @+1 {{set_scope: each iteration of loop "i" would have its own "T": schedule block "Q" accesses it elsewhere; proof "assume" takes it as true (C4)}}
      loop.block "Q" [%v: spatial 8] = (%i) reads(%T[-%v + 7 : 1]) writes(%B[%v : 1]) {
        %0 = affine.apply affine_map<(d0) -> (7 - d0)>(%v)
        %x = memref.load %T[%0] : memref<8xf32>
        memref.store %x, %B[%v] : memref<8xf32>
      }
    }
  }
  return
}

// Loops bound to different axes: thread i of one is not thread i of the other.
func.func @c4_of_other_axes(%A: memref<8xf32>, %B: memref<8xf32>)
    attributes {refused = "set_scope 'T' in %f scope 'local'"} {
  %T = loop.buffer "T" scope(shared) : memref<8xf32>
  loop.for thread_bind[blockIdx.x] %b in 1 {
    // expected-note @+1 {{the loop is here}}
    loop.for thread_bind[threadIdx.x] %i in 8 {
      loop.block "P" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%T[%v : 1]) {
        %x = memref.load %A[%v] : memref<8xf32>
        memref.store %x, %T[%v] : memref<8xf32>
      }
    }
    loop.sync
    loop.for thread_bind[threadIdx.y] %i in 8 {
      // expected-error @+1 {{set_scope: each iteration of loop "i" would have its own "T": schedule block "Q" accesses it elsewhere; proof "assume" takes it as true (C4)}}
      loop.block "Q" [%v: spatial 8] = (%i) reads(%T[%v : 1]) writes(%B[%v : 1]) {
        %x = memref.load %T[%v] : memref<8xf32>
        memref.store %x, %B[%v] : memref<8xf32>
      }
    }
  }
  return
}

func.func @c5_shared_cell(%A: memref<8xf32>, %B: memref<8xf32>)
    attributes {refused = "set_scope 'T' in %f scope 'global'"} {
  %T = loop.buffer "T" scope(local) : memref<1xf32>
  // expected-note @+1 {{the loop is here}}
  loop.for parallel %i in 8 {
    // expected-error @+1 {{set_scope: iterations of loop "i" would share "T", of which each has its own now: cannot prove that they write different cells; proof "assume" takes it as true (C5)}}
    loop.block "P" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%T[0 : 1]) {
      %c0 = arith.constant 0 : index
      %x = memref.load %A[%v] : memref<8xf32>
      memref.store %x, %T[%c0] : memref<1xf32>
    }
    loop.block "Q" [%v: spatial 8] = (%i) reads(%T[0 : 1]) writes(%B[%v : 1]) {
      %c0 = arith.constant 0 : index
      %x = memref.load %T[%c0] : memref<1xf32>
      memref.store %x, %B[%v] : memref<8xf32>
    }
  }
  return
}

func.func @c6_shared(%A: memref<65536xf32>) attributes {refused = "set_scope 'T' in %f scope 'shared'"} {
  %T = loop.buffer "T" scope(global) : memref<65536xf32>
  loop.for serial %i in 65536 {
    // expected-error @+1 {{set_scope: "T" takes 262144 bytes, scope shared has 232448 (C3)}}
    loop.block "P" [%v: spatial 65536] = (%i) reads(%A[%v : 1]) writes(%T[%v : 1]) {
      %x = memref.load %A[%v] : memref<65536xf32>
      memref.store %x, %T[%v] : memref<65536xf32>
    }
  }
  loop.for serial %i in 65536 {
    loop.block "Q" [%v: spatial 65536] = (%i) reads(%T[%v : 1]) writes(%A[%v : 1]) {
      %x = memref.load %T[%v] : memref<65536xf32>
      memref.store %x, %A[%v] : memref<65536xf32>
    }
  }
  return
}

func.func @c6_shared_together(%A: memref<40000xf32>) attributes {refused = "set_scope 'T' in %f scope 'shared'"} {
  %T = loop.buffer "T" scope(global) : memref<40000xf32>
  %S = loop.buffer "S" scope(shared) : memref<40000xf32>
  loop.for serial %i in 40000 {
    loop.block "O" [%v: spatial 40000] = (%i) reads(%A[%v : 1]) writes(%S[%v : 1]) {
      %x = memref.load %A[%v] : memref<40000xf32>
      memref.store %x, %S[%v] : memref<40000xf32>
    }
    // expected-error @+1 {{set_scope: "T" takes 320000 bytes, scope shared has 232448 (C3)}}
    loop.block "P" [%v: spatial 40000] = (%i) reads(%A[%v : 1]) writes(%T[%v : 1]) {
      %x = memref.load %A[%v] : memref<40000xf32>
      memref.store %x, %T[%v] : memref<40000xf32>
    }
  }
  loop.for serial %i in 40000 {
    loop.block "Q" [%v: spatial 40000] = (%i) reads(%T[%v : 1]) writes(%A[%v : 1]) {
      %x = memref.load %T[%v] : memref<40000xf32>
      memref.store %x, %A[%v] : memref<40000xf32>
    }
  }
  loop.for serial %i in 40000 {
    loop.block "R" [%v: spatial 40000] = (%i) reads(%S[%v : 1]) writes(%A[%v : 1]) {
      %x = memref.load %S[%v] : memref<40000xf32>
      memref.store %x, %A[%v] : memref<40000xf32>
    }
  }
  return
}

func.func @c6_local(%A: memref<131073xf32>) attributes {refused = "set_scope 'T' in %f scope 'local'"} {
  %T = loop.buffer "T" scope(global) : memref<131073xf32>
  loop.for serial %i in 131073 {
    // expected-error @+1 {{set_scope: "T" takes 524292 bytes, scope local has 524288 (C3)}}
    loop.block "P" [%v: spatial 131073] = (%i) reads(%A[%v : 1]) writes(%T[%v : 1]) {
      %x = memref.load %A[%v] : memref<131073xf32>
      memref.store %x, %T[%v] : memref<131073xf32>
    }
  }
  loop.for serial %i in 131073 {
    loop.block "Q" [%v: spatial 131073] = (%i) reads(%T[%v : 1]) writes(%A[%v : 1]) {
      %x = memref.load %T[%v] : memref<131073xf32>
      memref.store %x, %A[%v] : memref<131073xf32>
    }
  }
  return
}

// In one thread block, no thread uses what another wrote. But an iteration of a parallel loop keeps nothing for the next
// iteration of the loop around it.
func.func @c4_carried(%A: memref<8xf32>) attributes {refused = "set_scope 'T' in %f scope 'local'"} {
  %T = loop.buffer "T" scope(shared) : memref<8xf32>
  loop.for serial %k in 3 {
    // expected-note @+1 {{the loop is here}}
    loop.for parallel %i in 8 {
      loop.block "P" [%v: spatial 8, %w: spatial 3] = (%i, %k) where(%k == 0) reads(%A[%v : 1]) writes(%T[%v : 1]) {
        %x = memref.load %A[%v] : memref<8xf32>
        memref.store %x, %T[%v] : memref<8xf32>
      }
      // expected-error @+1 {{set_scope: each iteration of loop "i" would have its own "T": cannot prove that schedule block "Q" reads there only what the same iteration has written before; proof "assume" takes it as true (C4)}}
      loop.block "Q" [%v: spatial 8, %w: spatial 3] = (%i, %k) reads(%T[%v : 1]) writes(%T[%v : 1]) {
        %x = memref.load %T[%v] : memref<8xf32>
        %y = arith.addf %x, %x : f32
        memref.store %y, %T[%v] : memref<8xf32>
      }
    }
  }
  return
}
