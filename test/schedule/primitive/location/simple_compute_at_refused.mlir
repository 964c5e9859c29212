// RUN: lw-opt %s -verify-diagnostics --sched-expect-refusal

// expected-error @+1 {{simple_compute_at: there is no schedule block "P", there are none: --convert-linalg-to-loop makes schedule blocks of linalg ops (C1)}}
func.func @simple_c1_no_block(%A: memref<8xf32>, %C: memref<8xf32>, %D: memref<8xf32>)
    attributes {refused = "simple_compute_at 'P' in %f loop 'R:i'"} {
  return
}

func.func @simple_c1_no_loop(%A: memref<8xf32>, %C: memref<8xf32>, %D: memref<8xf32>)
    attributes {refused = "simple_compute_at 'P' in %f loop 'R:k'"} {
  loop.for serial %i in 8 {
    loop.block "P" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%C[%v : 1]) {
      %x = memref.load %A[%v] : memref<8xf32>
      memref.store %x, %C[%v] : memref<8xf32>
    }
  }
  loop.for serial %i in 8 {
    // expected-error @+1 {{simple_compute_at: there is no loop "k" around schedule block "R", there are "i" (C1)}}
    loop.block "R" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%D[%v : 1]) {
      %x = memref.load %A[%v] : memref<8xf32>
      memref.store %x, %D[%v] : memref<8xf32>
    }
  }
  return
}

func.func @simple_c2_already(%A: memref<8xf32>, %C: memref<8xf32>, %D: memref<8xf32>)
    attributes {refused = "simple_compute_at 'P' in %f loop 'R:i'"} {
  loop.for serial %i in 8 {
    // expected-error @+1 {{simple_compute_at: schedule block "P" is in loop "P:i" already (C2)}}
    loop.block "P" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%C[%v : 1]) {
      %x = memref.load %A[%v] : memref<8xf32>
      memref.store %x, %C[%v] : memref<8xf32>
    }
    loop.block "R" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%D[%v : 1]) {
      %x = memref.load %A[%v] : memref<8xf32>
      memref.store %x, %D[%v] : memref<8xf32>
    }
  }
  return
}

func.func @simple_c2_other_scope(%A: memref<8xf32>, %C: memref<8xf32>, %D: memref<8xf32>)
    attributes {refused = "simple_compute_at 'P' in %f loop 'R:i'"} {
  loop.for serial %i in 8 {
    // expected-error @+1 {{simple_compute_at: loop "R:i" and schedule block "P" are not in the same schedule block (C2)}}
    loop.block "P" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%C[%v : 1]) {
      %x = memref.load %A[%v] : memref<8xf32>
      memref.store %x, %C[%v] : memref<8xf32>
    }
  }
  loop.block "N" [] = () reads(%A[0 : 8]) writes(%D[0 : 8]) {
  // expected-note @+1 {{the loop is here}}
    loop.for serial %i in 8 {
    loop.block "R" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%D[%v : 1]) {
      %x = memref.load %A[%v] : memref<8xf32>
      memref.store %x, %D[%v] : memref<8xf32>
    }
  }
  }
  return
}

func.func @simple_c3_branch(%A: memref<8xf32>, %C: memref<8xf32>, %D: memref<8xf32>, %n: index)
    attributes {refused = "simple_compute_at 'P' in %f loop 'R:i'"} {
  loop.for serial %i in 8 {
    // expected-error @+1 {{simple_compute_at: a 'loop.if' is between loop "R:i" and its common ancestor with schedule block "P" (C3)}}
    loop.block "P" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%C[%v : 1]) {
      %x = memref.load %A[%v] : memref<8xf32>
      memref.store %x, %C[%v] : memref<8xf32>
    }
  }
  // expected-note @+1 {{it is here}}
  loop.if (%n >= 0) {
  loop.for serial %i in 8 {
    loop.block "R" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%D[%v : 1]) {
      %x = memref.load %A[%v] : memref<8xf32>
      memref.store %x, %D[%v] : memref<8xf32>
    }
  }
  }
  return
}

func.func @simple_c3_few_loops(%A: memref<8xf32>, %C: memref<8xf32>, %D: memref<8xf32>)
    attributes {refused = "simple_compute_at 'P' in %f loop 'R:j'"} {
  loop.for serial %i in 8 {
    // expected-error @+1 {{simple_compute_at: schedule block "P" has 1 loops of its own, expected 2 or more (C3)}}
    loop.block "P" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%C[%v : 1]) {
      %x = memref.load %A[%v] : memref<8xf32>
      memref.store %x, %C[%v] : memref<8xf32>
    }
  }
  loop.for serial %i in 2 {
    // expected-note @+1 {{the loop is here}}
    loop.for serial %j in 4 {
    loop.block "R" [%v: spatial 8] = (%i * 4 + %j) reads(%A[%v : 1]) writes(%D[%v : 1]) {
      %x = memref.load %A[%v] : memref<8xf32>
      memref.store %x, %D[%v] : memref<8xf32>
    }
  }
  }
  return
}

func.func @simple_c3_not_alone(%A: memref<8xf32>, %C: memref<8xf32>, %D: memref<8xf32>)
    attributes {refused = "simple_compute_at 'P' in %f loop 'R:i'"} {
  loop.for serial %i in 2 {
  loop.for serial %j in 4 {
    // expected-error @+1 {{simple_compute_at: schedule block "Q" would move along with "P" (C3)}}
    loop.block "P" [%v: spatial 8] = (%i * 4 + %j) reads(%A[%v : 1]) writes(%C[%v : 1]) {
      %x = memref.load %A[%v] : memref<8xf32>
      memref.store %x, %C[%v] : memref<8xf32>
    }
    // expected-note @+1 {{the other one is here}}
    loop.block "Q" [%v: spatial 8] = (%i * 4 + %j) reads(%A[%v : 1]) writes(%D[%v : 1]) {
      %x = memref.load %A[%v] : memref<8xf32>
      memref.store %x, %D[%v] : memref<8xf32>
    }
  }
  }
  loop.for serial %i in 2 {
    loop.block "R" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%D[%v : 1]) {
      %x = memref.load %A[%v] : memref<8xf32>
      memref.store %x, %D[%v] : memref<8xf32>
    }
  }
  return
}

func.func @simple_c4_extent(%A: memref<8xf32>, %C: memref<8xf32>, %D: memref<8xf32>)
    attributes {refused = "simple_compute_at 'P' in %f loop 'R:i'"} {
  // expected-error @+1 {{simple_compute_at: cannot prove that loops "P:i" and "R:i" have equal extents (C4)}}
    loop.for serial %i in 8 {
    loop.block "P" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%C[%v : 1]) {
      %x = memref.load %A[%v] : memref<8xf32>
      memref.store %x, %C[%v] : memref<8xf32>
    }
  }
  // expected-note @+1 {{the other loop is here}}
    loop.for serial %i in 7 {
    loop.block "R" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%D[%v : 1]) {
      %x = memref.load %A[%v] : memref<8xf32>
      memref.store %x, %D[%v] : memref<8xf32>
    }
  }
  return
}

func.func @simple_c4_dynamic(%A: memref<8xf32>, %C: memref<8xf32>, %D: memref<8xf32>, %X: memref<?xf32>, %Y: memref<?xf32>)
    attributes {refused = "simple_compute_at 'P' in %f loop 'R:i'"} {
  %c0 = arith.constant 0 : index
  %n = memref.dim %X, %c0 : memref<?xf32>
  %m = memref.dim %Y, %c0 : memref<?xf32>
  // expected-error @+1 {{simple_compute_at: cannot prove that loops "P:i" and "R:i" have equal extents (C4)}}
    loop.for serial %i in %n {
    loop.block "P" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%C[%v : 1]) {
      %x = memref.load %A[%v] : memref<8xf32>
      memref.store %x, %C[%v] : memref<8xf32>
    }
  }
  // expected-note @+1 {{the other loop is here}}
    loop.for serial %i in %m {
    loop.block "R" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%D[%v : 1]) {
      %x = memref.load %A[%v] : memref<8xf32>
      memref.store %x, %D[%v] : memref<8xf32>
    }
  }
  return
}

func.func @simple_c5_kind(%A: memref<8xf32>, %C: memref<8xf32>, %D: memref<8xf32>)
    attributes {refused = "simple_compute_at 'P' in %f loop 'R:i'"} {
  // expected-error @+1 {{simple_compute_at: loop "i" is parallel, expected serial (C5)}}
    loop.for parallel %i in 8 {
    loop.block "P" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%C[%v : 1]) {
      %x = memref.load %A[%v] : memref<8xf32>
      memref.store %x, %C[%v] : memref<8xf32>
    }
  }
  // expected-note @+1 {{the other loop is here}}
    loop.for serial %i in 8 {
    loop.block "R" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%D[%v : 1]) {
      %x = memref.load %A[%v] : memref<8xf32>
      memref.store %x, %D[%v] : memref<8xf32>
    }
  }
  return
}

func.func @simple_c6_order(%A: memref<8xf32>, %C: memref<8xf32>, %D: memref<8xf32>)
    attributes {refused = "simple_compute_at 'P' in %f loop 'R:i'"} {
  loop.for serial %i in 8 {
    // expected-error @+1 {{simple_compute_at: no position in loop "R:i" is proved to keep schedule block "P" in order with what it depends on: iteration i = 4 of "P" (writes) and iteration i = 3 of "R" (reads) both access "arg1"[4] (C6)}}
    loop.block "P" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%C[%v : 1]) {
      %x = memref.load %A[%v] : memref<8xf32>
      memref.store %x, %C[%v] : memref<8xf32>
    }
  }
  // expected-note @+1 {{the loop is here}}
    loop.for serial %i in 8 {
    loop.block "R" [%v: spatial 8] = (%i) reads(%C[-%v + 7 : 1]) writes(%D[%v : 1]) {
      %at = affine.apply affine_map<(d0) -> (7 - d0)>(%v)
      %x = memref.load %C[%at] : memref<8xf32>
      memref.store %x, %D[%v] : memref<8xf32>
    }
  }
  return
}

func.func private @g()
func.func @simple_c6_call(%A: memref<8xf32>, %C: memref<8xf32>, %D: memref<8xf32>)
    attributes {refused = "simple_compute_at 'P' in %f loop 'R:i'"} {
  loop.for serial %i in 8 {
    // expected-error @+1 {{simple_compute_at: schedule block "P" would move past 'func.call': it is not known what it orders; proof "assume" takes it as true (C6)}}
    loop.block "P" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%C[%v : 1]) {
      %x = memref.load %A[%v] : memref<8xf32>
      memref.store %x, %C[%v] : memref<8xf32>
    }
  }
  // expected-note @+1 {{it is here}}
  func.call @g() : () -> ()
  loop.for serial %i in 8 {
    loop.block "R" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%D[%v : 1]) {
      %x = memref.load %A[%v] : memref<8xf32>
      memref.store %x, %D[%v] : memref<8xf32>
    }
  }
  return
}

func.func @simple_c6_barrier(%A: memref<8xf32>, %C: memref<8xf32>, %D: memref<8xf32>)
    attributes {refused = "simple_compute_at 'P' in %f loop 'R:i'"} {
  loop.for serial %i in 8 {
    // expected-error @+1 {{simple_compute_at: schedule block "P" would move past 'loop.sync': it is not known what it orders; proof "assume" takes it as true (C6)}}
    loop.block "P" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%C[%v : 1]) {
      %x = memref.load %A[%v] : memref<8xf32>
      memref.store %x, %C[%v] : memref<8xf32>
    }
  }
  loop.for thread_bind[threadIdx.x] %i in 8 {
    loop.block "R" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%D[%v : 1]) {
      %x = memref.load %A[%v] : memref<8xf32>
      memref.store %x, %D[%v] : memref<8xf32>
    }
    // expected-note @+1 {{it is here}}
    loop.sync
  }
  return
}

func.func @simple_c6_unordered(%A: memref<8xf32>, %C: memref<8xf32>, %D: memref<8xf32>)
    attributes {refused = "simple_compute_at 'P' in %f loop 'R:i'"} {
  loop.for serial %i in 8 {
    // expected-error @+1 {{simple_compute_at: no position in loop "R:i" is proved to keep schedule block "P" in order with what it depends on: iteration i = 0 of "P" (writes) and iteration i = 1 of "P" (writes) both access "arg1"[0] (C6)}}
    loop.block "P" [%v: spatial 4, %w: spatial 2] = (%i floordiv 2, %i mod 2) reads(%A[%v : 1]) writes(%C[%v : 1]) {
      %x = memref.load %A[%v] : memref<8xf32>
      memref.store %x, %C[%v] : memref<8xf32>
    }
  }
  // expected-note @+1 {{the loop is here}}
  loop.for parallel %i in 8 {
    loop.block "R" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%D[%v : 1]) {
      %x = memref.load %A[%v] : memref<8xf32>
      memref.store %x, %D[%v] : memref<8xf32>
    }
  }
  return
}

func.func @simple_c7_private(%A: memref<8xf32>, %C: memref<8xf32>, %D: memref<8xf32>)
    attributes {refused = "simple_compute_at 'P' in %f loop 'R:i'"} {
  %S = loop.buffer "S" scope(local) : memref<8xf32>
  loop.for serial %i in 8 {
    // expected-error @+1 {{simple_compute_at: schedule block "P" accesses "S" of scope local: each iteration would have its own: the loops that own it would change; proof "assume" takes it as true (C7)}}
    loop.block "P" [%v: spatial 8] = (%i) reads(%S[%v : 1]) writes(%C[%v : 1]) {
      %x = memref.load %S[%v] : memref<8xf32>
      memref.store %x, %C[%v] : memref<8xf32>
    }
  }
  loop.for parallel %i in 8 {
    loop.block "R" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%D[%v : 1]) {
      %x = memref.load %A[%v] : memref<8xf32>
      memref.store %x, %D[%v] : memref<8xf32>
    }
  }
  return
}

// Dependent lanes are one vector, in which no other vector can be.
func.func @simple_compute_at_c6_dependent_lanes(%A: memref<5xf32>, %D: memref<4x5xf32>)
    attributes {refused = "simple_compute_at 'B' in %f loop 'C:i'"} {
  loop.for vectorize %i in 4 {
    loop.block "C" [%v: spatial 4] = (%i) reads(%A[%v + 1 : 1]) writes(%A[%v : 1]) {
      %next = affine.apply affine_map<(d0) -> (d0 + 1)>(%v)
      %a = memref.load %A[%next] : memref<5xf32>
      memref.store %a, %A[%v] : memref<5xf32>
    }
  }
  loop.for serial %i in 4 {
    loop.for vectorize %j in 4 {
      // expected-error @+1 {{simple_compute_at: the iterations of loop "i" cannot be lanes: they depend on each other, and so do those of loop "j" in it, which is vectorized (C6)}}
      loop.block "B" [%v: spatial 4, %w: spatial 4] = (%i, %j) reads(%D[%v : 1, %w + 1 : 1]) writes(%D[%v : 1, %w : 1]) {
        %next = affine.apply affine_map<(d0) -> (d0 + 1)>(%w)
        %d = memref.load %D[%v, %next] : memref<4x5xf32>
        memref.store %d, %D[%v, %w] : memref<4x5xf32>
      }
    }
  }
  return
}

// An empty sum has its start values too.
func.func @simple_compute_at_c6_start_values(%n: index, %A: memref<4x?xf32>, %T: memref<4xf32>, %B: memref<4xf32>)
    attributes {refused = "simple_compute_at 'R' in %f loop 'P:k'"} {
  loop.for serial %k in %n {
    loop.for serial %i in 4 {
      loop.block "P" [%v: spatial 4] = (%i) where(%k == 0) writes(%T[%v : 1]) {
        %c = arith.constant 1.0 : f32
        memref.store %c, %T[%v] : memref<4xf32>
      }
    }
  }
  loop.for serial %k in %n {
    loop.for serial %i in 4 {
      // expected-error @+1 {{simple_compute_at: the start values of schedule block "R" read "arg2", which "P" would write in loop "k", over which "R" reduces and which may not run (C6)}}
      loop.block "R" [%v: spatial 4, %vk: reduce %n] = (%i, %k) reads(%A[%v : 1, %vk : 1], %T[%v : 1]) writes(%B[%v : 1]) reducer(add, 0.0) {
        loop.init {
          %t = memref.load %T[%v] : memref<4xf32>
          memref.store %t, %B[%v] : memref<4xf32>
        }
        %b = memref.load %B[%v] : memref<4xf32>
        %a = memref.load %A[%v, %vk] : memref<4x?xf32>
        %s = arith.addf %b, %a : f32
        memref.store %s, %B[%v] : memref<4xf32>
      }
    }
  }
  return
}

// The read of one thread and the write of another are not ordered.
func.func @simple_c7_threads(%A: memref<8xf32>, %C: memref<8xf32>, %D: memref<8xf32>)
    attributes {refused = "simple_compute_at 'P' in %f loop 'R:i'"} {
  loop.for serial %i in 8 {
    // expected-error @+1 {{simple_compute_at: cannot prove that schedule blocks "P" and "R", which share "arg2", would run in the same threads: their thread axes differ, or one reads what other threads have written; proof "assume" takes it as true (C7)}}
    loop.block "P" [%v: spatial 8] = (%i) reads(%D[%v : 1]) writes(%C[%v : 1]) {
      %x = memref.load %D[%v] : memref<8xf32>
      memref.store %x, %C[%v] : memref<8xf32>
    }
  }
  loop.for thread_bind[threadIdx.x] %i in 8 {
    loop.block "R" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%D[%v : 1]) {
      %x = memref.load %A[%v] : memref<8xf32>
      memref.store %x, %D[%v] : memref<8xf32>
    }
  }
  return
}
