// RUN: lw-opt %s -verify-diagnostics --sched-expect-refusal

// expected-error @+1 {{cache_write: there is no schedule block "W", there are none: --convert-linalg-to-loop makes schedule blocks of linalg ops (C1)}}
func.func @c1_no_block(%A: memref<8xf32> {loop.name = "A"}, %B: memref<8xf32> {loop.name = "B"})
    attributes {refused = "cache_write 'W' in %f buffer 'B' scope 'shared'"} {
  // nothing
  return
}

func.func @c1_nest(%A: memref<8xf32> {loop.name = "A"}, %B: memref<8xf32> {loop.name = "B"})
    attributes {refused = "cache_write 'W' in %f buffer 'B' scope 'shared'"} {
  // expected-error @+1 {{cache_write: schedule block "W" has a nest as its body (C1)}}
  loop.block "W" [] = () { loop.block "B" [] = () {} }
  return
}

// expected-error @+1 {{cache_write: there is no buffer "C", there are "A", "B" (C2)}}
func.func @c2_no_buffer(%A: memref<8xf32> {loop.name = "A"}, %B: memref<8xf32> {loop.name = "B"})
    attributes {refused = "cache_write 'W' in %f buffer 'C' scope 'shared'"} {
  loop.for serial %i in 8 {
    loop.block "W" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%B[%v : 1]) {
      %x = memref.load %A[%v] : memref<8xf32>
      memref.store %x, %B[%v] : memref<8xf32>
    }
  }
  return
}

func.func @c2_no_writer(%A: memref<8xf32> {loop.name = "A"}, %B: memref<8xf32> {loop.name = "B"})
    attributes {refused = "cache_write 'W' in %f buffer 'A' scope 'shared'"} {
  loop.for serial %i in 8 {
    // expected-error @+1 {{cache_write: schedule block "W" does not write "A" (C2)}}
    loop.block "W" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%B[%v : 1]) {
      %x = memref.load %A[%v] : memref<8xf32>
      memref.store %x, %B[%v] : memref<8xf32>
    }
  }
  return
}

func.func @c3_scope(%A: memref<8xf32> {loop.name = "A"}, %B: memref<8xf32> {loop.name = "B"})
    attributes {refused = "cache_write 'W' in %f buffer 'B' scope 'register'"} {
  loop.for serial %i in 8 {
    // expected-error @+1 {{cache_write: "register" is not a scope, expected global, shared or local (C3)}}
    loop.block "W" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%B[%v : 1]) {
      %x = memref.load %A[%v] : memref<8xf32>
      memref.store %x, %B[%v] : memref<8xf32>
    }
  }
  return
}

func.func @c4_second_writer(%A: memref<8xf32> {loop.name = "A"}, %B: memref<8xf32> {loop.name = "B"})
    attributes {refused = "cache_write 'W' in %f buffer 'B' scope 'shared'"} {
  loop.for serial %i in 8 {
    // expected-error @+1 {{cache_write: "B" is written by schedule block "V" too (C4)}}
    loop.block "W" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%B[%v : 1]) {
      %x = memref.load %A[%v] : memref<8xf32>
      memref.store %x, %B[%v] : memref<8xf32>
    }
  }
  loop.for serial %i in 8 {
    // expected-note @+1 {{the other writer is here}}
    loop.block "V" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%B[%v : 1]) {
      %x = memref.load %A[%v] : memref<8xf32>
      memref.store %x, %B[%v] : memref<8xf32>
    }
  }
  return
}

func.func private @g(memref<8xf32>)
func.func @c4_escapes(%A: memref<8xf32> {loop.name = "A"}, %B: memref<8xf32> {loop.name = "B"})
    attributes {refused = "cache_write 'W' in %f buffer 'B' scope 'shared'"} {
  func.call @g(%B) : (memref<8xf32>) -> ()
  loop.for serial %i in 8 {
    // expected-error @+1 {{cache_write: something other than schedule blocks uses "B" (C4)}}
    loop.block "W" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%B[%v : 1]) {
      %x = memref.load %A[%v] : memref<8xf32>
      memref.store %x, %B[%v] : memref<8xf32>
    }
  }
  return
}

func.func @c5_old_values(%A: memref<8xf32> {loop.name = "A"}, %B: memref<8xf32> {loop.name = "B"})
    attributes {refused = "cache_write 'W' in %f buffer 'B' scope 'shared'"} {
  loop.for serial %i in 8 {
    loop.for serial %k0 in 4 {
      // expected-error @+1 {{cache_write: schedule block "W" reads "B" at places that it may not have written yet; proof "assume" takes it as true (C5)}}
      loop.block "W" [%v: spatial 8, %k: reduce 4] = (%i, %k0) reads(%A[%v : 1], %B[%v : 1]) writes(%B[%v : 1]) reducer(add, 0.0) {
        %x = memref.load %A[%v] : memref<8xf32>
        %b = memref.load %B[%v] : memref<8xf32>
        %s = arith.addf %b, %x : f32
        memref.store %s, %B[%v] : memref<8xf32>
      }
    }
  }
  return
}

func.func @c5_sum_around_threads(%A: memref<8xf32> {loop.name = "A"}, %B: memref<8xf32> {loop.name = "B"})
    attributes {refused = "cache_write 'W' in %f buffer 'B' scope 'local'"} {
  loop.for serial %k0 in 4 {
    // expected-note @+1 {{the loop is here}}
    loop.for parallel %i in 8 {
      // expected-error @+1 {{cache_write: each iteration of loop "i" would have its own "B": cannot prove that schedule block "W" reads there only what the same iteration has written before; proof "assume" takes it as true (C5)}}
      loop.block "W" [%v: spatial 8, %k: reduce 4] = (%i, %k0) reads(%A[%v : 1]) writes(%B[%v : 1]) reducer(add, 0.0) {
        loop.init {
          %z = arith.constant 0.0 : f32
          memref.store %z, %B[%v] : memref<8xf32>
        }
        %x = memref.load %A[%v] : memref<8xf32>
        %b = memref.load %B[%v] : memref<8xf32>
        %s = arith.addf %b, %x : f32
        memref.store %s, %B[%v] : memref<8xf32>
      }
    }
  }
  return
}

func.func @c6_branches(%A: memref<8xf32> {loop.name = "A"}, %B: memref<8xf32> {loop.name = "B"})
    attributes {refused = "cache_write 'W' in %f buffer 'T' scope 'shared'"} {
  %T = loop.buffer "T" scope(global) : memref<8xf32>
  loop.for serial %i in 8 {
    // expected-note @+1 {{it is here}}
    loop.if (%i - 4 >= 0) {
      // expected-error @+1 {{cache_write: schedule blocks "W" and "R" are in one 'loop.if': there is no place for a copy (C6)}}
      loop.block "W" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%T[%v : 1]) {
        %x = memref.load %A[%v] : memref<8xf32>
        memref.store %x, %T[%v] : memref<8xf32>
      }
    } else {
      loop.block "R" [%v: spatial 8] = (%i) reads(%T[%v : 1]) writes(%B[%v : 1]) {
        %x = memref.load %T[%v] : memref<8xf32>
        memref.store %x, %B[%v] : memref<8xf32>
      }
    }
  }
  return
}

func.func @c7_every_other_cell(%A: memref<8xf32> {loop.name = "A"}, %B: memref<8xf32> {loop.name = "B"})
    attributes {refused = "cache_write 'W' in %f buffer 'B' scope 'shared'"} {
  loop.for serial %i in 4 {
    // expected-error @+1 {{cache_write: it is not known which cells of "B" schedule block "W" writes: the others must keep their values; proof "assume" takes it as true (C7)}}
    loop.block "W" [%v: spatial 4] = (%i) reads(%A[%v : 1]) writes(%B[%v * 2 : 1]) {
      %0 = affine.apply affine_map<(d0) -> (d0 * 2)>(%v)
      %x = memref.load %A[%v] : memref<8xf32>
      memref.store %x, %B[%0] : memref<8xf32>
    }
  }
  return
}

func.func @c7_condition(%A: memref<8xf32> {loop.name = "A"}, %B: memref<8xf32> {loop.name = "B"})
    attributes {refused = "cache_write 'W' in %f buffer 'B' scope 'shared'"} {
  loop.for serial %i in 8 {
    // expected-error @+1 {{cache_write: it is not known which cells of "B" schedule block "W" writes: the others must keep their values; proof "assume" takes it as true (C7)}}
    loop.block "W" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%B[%v : 1]) {
      %x = memref.load %A[%v] : memref<8xf32>
      loop.if (%v - 2 >= 0) {
        memref.store %x, %B[%v] : memref<8xf32>
      }
    }
  }
  return
}

func.func @c7_predicate(%A: memref<8xf32> {loop.name = "A"}, %B: memref<8xf32> {loop.name = "B"})
    attributes {refused = "cache_write 'W' in %f buffer 'B' scope 'shared'"} {
  loop.for serial %i in 8 {
    // expected-error @+1 {{cache_write: it is not known which cells of "B" schedule block "W" writes: the others must keep their values; proof "assume" takes it as true (C7)}}
    loop.block "W" [%v: spatial 8] = (%i) where(%i - 2 >= 0) reads(%A[%v : 1]) writes(%B[%v : 1]) {
      %x = memref.load %A[%v] : memref<8xf32>
      memref.store %x, %B[%v] : memref<8xf32>
    }
  }
  return
}

func.func @c7_gap(%A: memref<8xf32> {loop.name = "A"}, %B: memref<8xf32> {loop.name = "B"})
    attributes {refused = "cache_write 'W' in %f buffer 'B' scope 'shared'"} {
  loop.for serial %i in 2 {
    loop.for serial %j in 2 {
      // expected-error @+1 {{cache_write: it is not known which cells of "B" schedule block "W" writes: the others must keep their values; proof "assume" takes it as true (C7)}}
      loop.block "W" [%v: spatial 8] = (%i * 4 + %j) reads(%A[%v : 1]) writes(%B[%v : 1]) {
        %x = memref.load %A[%v] : memref<8xf32>
        memref.store %x, %B[%v] : memref<8xf32>
      }
    }
  }
  return
}

func.func @c7_diagonal(%A: memref<8xf32>, %B: memref<8x8xf32> {loop.name = "B"})
    attributes {refused = "cache_write 'W' in %f buffer 'B' scope 'shared'"} {
  loop.for serial %i in 8 {
    // expected-error @+1 {{cache_write: it is not known which cells of "B" schedule block "W" writes: the others must keep their values; proof "assume" takes it as true (C7)}}
    loop.block "W" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%B[%v : 1, %v : 1]) {
      %x = memref.load %A[%v] : memref<8xf32>
      memref.store %x, %B[%v, %v] : memref<8x8xf32>
    }
  }
  return
}

func.func @c7_may_not_run(%A: memref<8xf32> {loop.name = "A"}, %B: memref<8xf32> {loop.name = "B"}, %n: index)
    attributes {refused = "cache_write 'W' in %f buffer 'B' scope 'shared'"} {
  loop.for serial %i in 8 {
    loop.for serial %j in %n {
      // expected-error @+1 {{cache_write: it is not known which cells of "B" schedule block "W" writes: the others must keep their values; proof "assume" takes it as true (C7)}}
      loop.block "W" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%B[%v : 1]) {
        %x = memref.load %A[%v] : memref<8xf32>
        memref.store %x, %B[%v] : memref<8xf32>
      }
    }
  }
  return
}

func.func @c8_threads(%A: memref<8xf32> {loop.name = "A"}, %B: memref<8xf32> {loop.name = "B"})
    attributes {refused = "cache_write 'W' in %f buffer 'B' scope 'shared'"} {
  loop.for thread_bind[blockIdx.x] %o in 1 {
    loop.for thread_bind[threadIdx.x] %t in 8 {
      // expected-error @+1 {{cache_write: schedule block "W" runs in the threads of loop "t", the copy outside of them: the two would not be ordered; proof "assume" takes it as true (C8)}}
      loop.block "W" [%v: spatial 8] = (%t) reads(%A[%v : 1]) writes(%B[%v : 1]) {
        %x = memref.load %A[%v] : memref<8xf32>
        memref.store %x, %B[%v] : memref<8xf32>
      }
    }
  }
  return
}

func.func @c9_shared_cell(%A: memref<8xf32>, %B: memref<8xf32>)
    attributes {refused = "cache_write 'W' in %f buffer 'T' scope 'global'"} {
  %T = loop.buffer "T" scope(local) : memref<1xf32>
  // expected-note @+1 {{the loop is here}}
  loop.for parallel %i in 8 {
    // expected-error @+1 {{cache_write: iterations of loop "i" would share "T", of which each has its own now: cannot prove that they write different cells; proof "assume" takes it as true (C9)}}
    loop.block "W" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%T[0 : 1]) {
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
