// RUN: lw-opt %s -verify-diagnostics --sched-expect-refusal

// expected-error @+1 {{reindex: there is no schedule block "Q", there are "B" (C1)}}
func.func @c1_no_block(%C: memref<8xf32> {loop.name = "C"}, %D: memref<8xf32> {loop.name = "D"})
    attributes {refused = "reindex 'Q' in %f buffer 'C' scope 'global'"} {
  loop.for serial %i in 8 {
    loop.block "B" [%v: spatial 8] = (%i) reads(%C[%v : 1]) writes(%D[%v : 1]) {
      %c = memref.load %C[%v] : memref<8xf32>
      memref.store %c, %D[%v] : memref<8xf32>
    }
  }
  return
}

func.func @c2_no_access(%C: memref<8xf32> {loop.name = "C"}, %D: memref<8xf32> {loop.name = "D"}, %E: memref<8xf32> {loop.name = "E"})
    attributes {refused = "reindex 'B' in %f buffer 'E' scope 'global'"} {
  loop.for serial %i in 8 {
    // expected-error @+1 {{reindex: schedule block "B" does not access "E" (C2)}}
    loop.block "B" [%v: spatial 8] = (%i) reads(%C[%v : 1]) writes(%D[%v : 1]) {
      %c = memref.load %C[%v] : memref<8xf32>
      memref.store %c, %D[%v] : memref<8xf32>
    }
  }
  return
}

func.func @c3_scope(%C: memref<8xf32> {loop.name = "C"}, %D: memref<8xf32> {loop.name = "D"})
    attributes {refused = "reindex 'B' in %f buffer 'C' scope 'near'"} {
  loop.for serial %i in 8 {
    // expected-error @+1 {{reindex: "near" is not a scope, expected global, shared or local (C3)}}
    loop.block "B" [%v: spatial 8] = (%i) reads(%C[%v : 1]) writes(%D[%v : 1]) {
      %c = memref.load %C[%v] : memref<8xf32>
      memref.store %c, %D[%v] : memref<8xf32>
    }
  }
  return
}

func.func @c4_two_places(%C: memref<8xf32> {loop.name = "C"}, %D: memref<8xf32> {loop.name = "D"})
    attributes {refused = "reindex 'B' in %f buffer 'C' scope 'global'"} {
  loop.for serial %i in 8 {
    // expected-error @+1 {{reindex: schedule block "B" does not access "C" alone, at one place that only its iters determine, and under no condition (C4)}}
    loop.block "B" [%v: spatial 8] = (%i) reads(%C[0 : 8]) writes(%D[%v : 1]) {
      %1 = affine.apply affine_map<(d0) -> (-d0 + 7)>(%v)
      %c = memref.load %C[%v] : memref<8xf32>
      %d = memref.load %C[%1] : memref<8xf32>
      %e = arith.addf %c, %d : f32
      memref.store %e, %D[%v] : memref<8xf32>
    }
  }
  return
}

func.func @c4_data(%C: memref<8xf32> {loop.name = "C"}, %D: memref<8xf32> {loop.name = "D"}, %I: memref<8xi32>)
    attributes {refused = "reindex 'B' in %f buffer 'C' scope 'global'"} {
  loop.for serial %i in 8 {
    // expected-error @+1 {{reindex: schedule block "B" does not access "C" alone, at one place that only its iters determine, and under no condition (C4)}}
    loop.block "B" [%v: spatial 8] = (%i) reads(%I[%v : 1], %C[*]) writes(%D[%v : 1]) {
      %n = memref.load %I[%v] : memref<8xi32>
      %1 = arith.index_cast %n : i32 to index
      %c = memref.load %C[%1] : memref<8xf32>
      memref.store %c, %D[%v] : memref<8xf32>
    }
  }
  return
}

func.func private @g(memref<8xf32>)
func.func @c4_escapes(%C: memref<8xf32> {loop.name = "C"}, %D: memref<8xf32> {loop.name = "D"})
    attributes {refused = "reindex 'B' in %f buffer 'D' scope 'global'"} {
  func.call @g(%D) : (memref<8xf32>) -> ()
  loop.for serial %i in 8 {
    // expected-error @+1 {{reindex: something other than schedule blocks uses "D" (C4)}}
    loop.block "B" [%v: spatial 8] = (%i) reads(%C[%v : 1]) writes(%D[%v : 1]) {
      %c = memref.load %C[%v] : memref<8xf32>
      memref.store %c, %D[%v] : memref<8xf32>
    }
  }
  return
}

func.func @c5_old_values(%C: memref<8xf32> {loop.name = "C"}, %D: memref<8xf32> {loop.name = "D"})
    attributes {refused = "reindex 'B' in %f buffer 'C' scope 'global'"} {
  loop.for serial %i in 8 {
    // expected-error @+1 {{reindex: schedule block "B" reads "C" at places that it may not have written yet; proof "assume" takes it as true (C5)}}
    loop.block "B" [%v: spatial 8] = (%i) reads(%C[%v : 1]) writes(%C[%v : 1]) {
      %c = memref.load %C[%v] : memref<8xf32>
      %e = arith.addf %c, %c : f32
      memref.store %e, %C[%v] : memref<8xf32>
    }
  }
  return
}

func.func @c6_branch(%C: memref<8xf32> {loop.name = "C"}, %D: memref<8xf32> {loop.name = "D"})
    attributes {refused = "reindex 'B' in %f buffer 'C' scope 'global'"} {
  loop.for serial %i in 8 {
    // expected-note @+1 {{it is here}}
    loop.if (%i - 4 >= 0) {
      loop.block "W" [%v: spatial 8] = (%i) writes(%C[%v : 1]) {
        %z = arith.constant 0.0 : f32
        memref.store %z, %C[%v] : memref<8xf32>
      }
      // expected-error @+1 {{reindex: schedule blocks "W" and "B" are in one 'loop.if': there is no place for a copy (C6)}}
      loop.block "B" [%v: spatial 8] = (%i) reads(%C[%v : 1]) writes(%D[%v : 1]) {
        %c = memref.load %C[%v] : memref<8xf32>
        memref.store %c, %D[%v] : memref<8xf32>
      }
    }
  }
  return
}

func.func @c7_may_not_run(%C: memref<8xf32> {loop.name = "C"}, %D: memref<8xf32> {loop.name = "D"}, %n: index)
    attributes {refused = "reindex 'B' in %f buffer 'D' scope 'global'"} {
  loop.for serial %i in 8 {
    loop.for serial %j in %n {
      // expected-error @+1 {{reindex: it is not known which cells of "D" schedule block "B" writes: the others must keep their values; proof "assume" takes it as true (C7)}}
      loop.block "B" [%v: spatial 8] = (%i) reads(%C[%v : 1]) writes(%D[%v : 1]) {
        %c = memref.load %C[%v] : memref<8xf32>
        memref.store %c, %D[%v] : memref<8xf32>
      }
    }
  }
  return
}

func.func @c8_threads(%C: memref<8x8xf32> {loop.name = "C"}, %D: memref<8x8xf32> {loop.name = "D"})
    attributes {refused = "reindex 'B' in %f buffer 'C' scope 'shared'"} {
  loop.for thread_bind[blockIdx.x] %b in 8 {
    loop.for thread_bind[threadIdx.x] %i in 8 {
      // expected-error @+1 {{reindex: schedule block "B" runs in the threads of loop "i", the copy outside of them: the two would not be ordered; proof "assume" takes it as true (C8)}}
      loop.block "B" [%v: spatial 8, %w: spatial 8] = (%b, %i) reads(%C[%v : 1, %w : 1]) writes(%D[%v : 1, %w : 1]) {
        %c = memref.load %C[%v, %w] : memref<8x8xf32>
        memref.store %c, %D[%v, %w] : memref<8x8xf32>
      }
    }
  }
  return
}

func.func @c11_outside(%C: memref<8xf32> {loop.name = "C"}, %D: memref<8xf32> {loop.name = "D"})
    attributes {refused = "reindex 'B' in %f buffer 'C' scope 'global'"} {
  loop.for serial %i in 6 {
    // expected-error @+1 {{reindex: cannot prove that all reads of "C" would be in bounds; proof "assume" takes it as true (C11)}}
    loop.block "B" [%v: spatial 8] = (%i) reads(%C[%v + 2 : 1]) writes(%D[%v : 1]) {
      %1 = affine.apply affine_map<(d0) -> (d0 + 2)>(%v)
      %c = memref.load %C[%1] : memref<8xf32>
      memref.store %c, %D[%v] : memref<8xf32>
    }
  }
  return
}

func.func @c11_one_place(%C: memref<8xf32> {loop.name = "C"}, %D: memref<8xf32> {loop.name = "D"})
    attributes {refused = "reindex 'B' in %f buffer 'D' scope 'global'"} {
  loop.for serial %i in 8 {
    // expected-error @+1 {{reindex: cells [0] and [1] of "D" would both be stored at [0] (C11)}}
    loop.block "B" [%v: spatial 8] = (%i) reads(%C[%v : 1]) writes(%D[%v floordiv 2 : 1]) {
      %1 = affine.apply affine_map<(d0) -> (d0 floordiv 2)>(%v)
      %c = memref.load %C[%v] : memref<8xf32>
      memref.store %c, %D[%1] : memref<8xf32>
    }
  }
  return
}

func.func @c9_at_once(%A: memref<8xf32> {loop.name = "A"}, %B: memref<4x8xf32>)
    attributes {refused = "reindex 'R' in %f buffer 'T' scope 'global'"} {
  %T = loop.buffer "T" scope(local) : memref<8xf32>
  // expected-note @+1 {{the loop is here}}
  loop.for parallel %o in 4 {
    loop.block "tile" [%vo: spatial 4] = (%o) reads(%A[0 : 8], %T[0 : 8]) writes(%T[0 : 8], %B[%vo : 1, 0 : 8]) {
      loop.for serial %i in 8 {
        loop.block "W" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%T[%v : 1]) {
          %x = memref.load %A[%v] : memref<8xf32>
          memref.store %x, %T[%v] : memref<8xf32>
        }
      }
      loop.for serial %i in 8 {
        // expected-error @+1 {{reindex: iterations of loop "o" would copy "T" concurrently: cannot prove that they copy different cells; proof "assume" takes it as true (C9)}}
        loop.block "R" [%v: spatial 8] = (%i) reads(%T[%v : 1]) writes(%B[%vo : 1, %v : 1]) {
          %x = memref.load %T[%v] : memref<8xf32>
          memref.store %x, %B[%vo, %v] : memref<4x8xf32>
        }
      }
    }
  }
  return
}

// Over no iterations the sum is its start value, which a copy in the loop would not contain.
func.func @c10_start_read_from_the_copy(%A: memref<?xi32>, %I: memref<1xi32>, %B: memref<1xi32>)
    attributes {refused = "reindex 'B' in %f buffer 'arg1' scope 'shared'"} {
  %c0 = arith.constant 0 : index
  %n = memref.dim %A, %c0 : memref<?xi32>
  // expected-note @+1 {{the loop is here}}
  loop.for thread_bind[blockIdx.x] %k in %n {
    // expected-error @+1 {{reindex: the start values of schedule block "B" read "arg1_shared_temp_buffer", which "arg1_shared_temp_buffer" would write in loop "k", over which "B" reduces and which may not run (C10)}}
    loop.block "B" [%v: spatial 1, %w: reduce %n] = (0, %k) reads(%A[%w : 1], %I[0 : 1], %B[0 : 1]) writes(%B[0 : 1]) reducer(add, 0) {
      %z = arith.constant 0 : index
      loop.init {
        %i = memref.load %I[%z] : memref<1xi32>
        memref.store %i, %B[%z] : memref<1xi32>
      }
      %a = memref.load %A[%w] : memref<?xi32>
      %b = memref.load %B[%z] : memref<1xi32>
      %s = arith.addi %b, %a : i32
      memref.store %s, %B[%z] : memref<1xi32>
    }
  }
  return
}
