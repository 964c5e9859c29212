// RUN: lw-opt %s -verify-diagnostics --sched-expect-refusal

// expected-error @+1 {{cache_read: there is no schedule block "R", there are none: --convert-linalg-to-loop makes schedule blocks of linalg ops (C1)}}
func.func @c1_no_block(%A: memref<8xf32> {loop.name = "A"}, %B: memref<8xf32> {loop.name = "B"})
    attributes {refused = "cache_read 'R' in %f buffer 'A' scope 'shared'"} {
  // nothing
  return
}

func.func @c1_nest(%A: memref<8xf32> {loop.name = "A"}, %B: memref<8xf32> {loop.name = "B"})
    attributes {refused = "cache_read 'R' in %f buffer 'A' scope 'shared'"} {
  // expected-error @+1 {{cache_read: schedule block "R" has a nest as its body (C1)}}
  loop.block "R" [] = () { loop.block "B" [] = () {} }
  return
}

// expected-error @+1 {{cache_read: there is no buffer "C", there are "A", "B" (C2)}}
func.func @c2_no_buffer(%A: memref<8xf32> {loop.name = "A"}, %B: memref<8xf32> {loop.name = "B"})
    attributes {refused = "cache_read 'R' in %f buffer 'C' scope 'shared'"} {
  loop.for serial %i in 8 {
    loop.block "R" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%B[%v : 1]) {
      %x = memref.load %A[%v] : memref<8xf32>
      memref.store %x, %B[%v] : memref<8xf32>
    }
  }
  return
}

func.func @c2_no_reader(%A: memref<8xf32> {loop.name = "A"}, %B: memref<8xf32> {loop.name = "B"})
    attributes {refused = "cache_read 'R' in %f buffer 'B' scope 'shared'"} {
  loop.for serial %i in 8 {
    // expected-error @+1 {{cache_read: schedule block "R" does not read "B" (C2)}}
    loop.block "R" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%B[%v : 1]) {
      %x = memref.load %A[%v] : memref<8xf32>
      memref.store %x, %B[%v] : memref<8xf32>
    }
  }
  return
}

func.func @c3_scope(%A: memref<8xf32> {loop.name = "A"}, %B: memref<8xf32> {loop.name = "B"})
    attributes {refused = "cache_read 'R' in %f buffer 'A' scope 'warp'"} {
  loop.for serial %i in 8 {
    // expected-error @+1 {{cache_read: "warp" is not a scope, expected global, shared or local (C3)}}
    loop.block "R" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%B[%v : 1]) {
      %x = memref.load %A[%v] : memref<8xf32>
      memref.store %x, %B[%v] : memref<8xf32>
    }
  }
  return
}

func.func @c4_consumer_reads_nothing(%A: memref<8xf32> {loop.name = "A"}, %B: memref<8xf32> {loop.name = "B"})
    attributes {refused = "cache_read 'R' in %f buffer 'A' scope 'shared' consumers ['R', 'S']"} {
  loop.for serial %i in 8 {
    loop.block "R" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%B[%v : 1]) {
      %x = memref.load %A[%v] : memref<8xf32>
      memref.store %x, %B[%v] : memref<8xf32>
    }
  }
  loop.for serial %i in 8 {
    // expected-error @+1 {{cache_read: schedule block "S" does not read "A" (C4)}}
    loop.block "S" [%v: spatial 8] = (%i) writes(%B[%v : 1]) {
      %x = arith.constant 1.0 : f32
      memref.store %x, %B[%v] : memref<8xf32>
    }
  }
  return
}

func.func @c4_not_among_them(%A: memref<8xf32> {loop.name = "A"}, %B: memref<8xf32> {loop.name = "B"})
    attributes {refused = "cache_read 'R' in %f buffer 'A' scope 'shared' consumers ['S']"} {
  loop.for serial %i in 8 {
    // expected-error @+1 {{cache_read: schedule block "R" is not one of the consumers (C4)}}
    loop.block "R" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%B[%v : 1]) {
      %x = memref.load %A[%v] : memref<8xf32>
      memref.store %x, %B[%v] : memref<8xf32>
    }
  }
  loop.for serial %i in 8 {
    loop.block "S" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%B[%v : 1]) {
      %x = memref.load %A[%v] : memref<8xf32>
      memref.store %x, %B[%v] : memref<8xf32>
    }
  }
  return
}

func.func @c4_twice(%A: memref<8xf32> {loop.name = "A"}, %B: memref<8xf32> {loop.name = "B"})
    attributes {refused = "cache_read 'R' in %f buffer 'A' scope 'shared' consumers ['R', 'R']"} {
  loop.for serial %i in 8 {
    // expected-error @+1 {{cache_read: schedule block "R" is given twice (C4)}}
    loop.block "R" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%B[%v : 1]) {
      %x = memref.load %A[%v] : memref<8xf32>
      memref.store %x, %B[%v] : memref<8xf32>
    }
  }
  return
}

func.func @c4_elsewhere(%A: memref<8xf32> {loop.name = "A"}, %B: memref<8xf32> {loop.name = "B"})
    attributes {refused = "cache_read 'R' in %f buffer 'T' scope 'shared' consumers ['R', 'S']"} {
  %T = loop.buffer "T" scope(global) : memref<8xf32>
  // expected-note @+1 {{the copy would be in here}}
  loop.for serial %o in 2 {
    loop.for serial %i in 8 {
      loop.block "W" [%v: spatial 8] = (%i) reads(%B[%v : 1]) writes(%T[%v : 1]) {
        %x = memref.load %B[%v] : memref<8xf32>
        memref.store %x, %T[%v] : memref<8xf32>
      }
    }
    loop.for serial %j in 8 {
      loop.block "R" [%v: spatial 8] = (%j) reads(%T[%v : 1]) writes(%B[%v : 1]) {
        %x = memref.load %T[%v] : memref<8xf32>
        memref.store %x, %B[%v] : memref<8xf32>
      }
    }
  }
  loop.for serial %i in 8 {
    // expected-error @+1 {{cache_read: schedule block "S" is not where the copy would be: in loop "W:o" (C4)}}
    loop.block "S" [%v: spatial 8] = (%i) reads(%T[%v : 1]) writes(%B[%v : 1]) {
      %x = memref.load %T[%v] : memref<8xf32>
      memref.store %x, %B[%v] : memref<8xf32>
    }
  }
  return
}

func.func @c4_other_instance(%A: memref<8xf32> {loop.name = "A"}, %B: memref<8xf32> {loop.name = "B"})
    attributes {refused = "cache_read 'R' in %f buffer 'A' scope 'local' consumers ['R', 'S']"} {
  loop.for serial %i in 8 {
    loop.block "R" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%B[%v : 1]) {
      %x = memref.load %A[%v] : memref<8xf32>
      memref.store %x, %B[%v] : memref<8xf32>
    }
  }
  // expected-note @+1 {{the loop is here}}
  loop.for parallel %i in 8 {
    // expected-error @+1 {{cache_read: each iteration of loop "i" would have its own buffer of scope local: schedule block "S" would not see the copy (C4)}}
    loop.block "S" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%B[%v : 1]) {
      %x = memref.load %A[%v] : memref<8xf32>
      memref.store %x, %B[%v] : memref<8xf32>
    }
  }
  return
}

func.func @c5_reduction(%A: memref<8xf32> {loop.name = "A"}, %B: memref<8xf32> {loop.name = "B"})
    attributes {refused = "cache_read 'R' in %f buffer 'A' scope 'shared'"} {
  loop.for serial %i in 8 {
    loop.for serial %k0 in 4 {
      // expected-error @+1 {{cache_read: schedule block "R" reduces into "A": it reads its own results there (C5)}}
      loop.block "R" [%v: spatial 8, %k: reduce 4] = (%i, %k0) reads(%B[%v : 1]) writes(%A[%v : 1]) reducer(add, 0.0) {
        loop.init {
          %z = arith.constant 0.0 : f32
          memref.store %z, %A[%v] : memref<8xf32>
        }
        %x = memref.load %A[%v] : memref<8xf32>
        %b = memref.load %B[%v] : memref<8xf32>
        %s = arith.addf %x, %b : f32
        memref.store %s, %A[%v] : memref<8xf32>
      }
    }
  }
  return
}

func.func @c6_branches(%A: memref<8xf32> {loop.name = "A"}, %B: memref<8xf32> {loop.name = "B"})
    attributes {refused = "cache_read 'R' in %f buffer 'T' scope 'shared'"} {
  %T = loop.buffer "T" scope(global) : memref<8xf32>
  loop.for serial %i in 8 {
    // expected-note @+1 {{it is here}}
    loop.if (%i - 4 >= 0) {
      loop.block "W" [%v: spatial 8] = (%i) reads(%B[%v : 1]) writes(%T[%v : 1]) {
        %x = memref.load %B[%v] : memref<8xf32>
        memref.store %x, %T[%v] : memref<8xf32>
      }
    } else {
      // expected-error @+1 {{cache_read: schedule blocks "W" and "R" are in one 'loop.if': there is no place for a copy (C6)}}
      loop.block "R" [%v: spatial 8] = (%i) reads(%T[%v : 1]) writes(%B[%v : 1]) {
        %x = memref.load %T[%v] : memref<8xf32>
        memref.store %x, %B[%v] : memref<8xf32>
      }
    }
  }
  return
}

func.func @c7_overwritten(%A: memref<8xf32> {loop.name = "A"}, %B: memref<8xf32> {loop.name = "B"})
    attributes {refused = "cache_read 'R' in %f buffer 'A' scope 'shared' consumers ['R', 'S']"} {
  loop.for serial %i in 8 {
    loop.block "R" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%B[%v : 1]) {
      %x = memref.load %A[%v] : memref<8xf32>
      memref.store %x, %B[%v] : memref<8xf32>
    }
  }
  loop.for serial %i in 8 {
    // expected-note @+1 {{the writer is here}}
    loop.block "W" [%v: spatial 8] = (%i) reads(%B[%v : 1]) writes(%A[%v : 1]) {
      %x = memref.load %B[%v] : memref<8xf32>
      memref.store %x, %A[%v] : memref<8xf32>
    }
  }
  loop.for serial %i in 8 {
    // expected-error @+1 {{cache_read: schedule block "W" may overwrite "A" between the copy and schedule block "S": iteration i = 0 of "W" (writes) and iteration i = 0 of "S" (reads) both access "A"[0] (C7)}}
    loop.block "S" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%B[%v : 1]) {
      %x = memref.load %A[%v] : memref<8xf32>
      memref.store %x, %B[%v] : memref<8xf32>
    }
  }
  return
}

func.func @c7_own_result(%A: memref<8xf32> {loop.name = "A"}, %B: memref<8xf32> {loop.name = "B"})
    attributes {refused = "cache_read 'R' in %f buffer 'A' scope 'shared'"} {
  loop.for serial %i in 7 {
    // expected-note @+2 {{the writer is here}}
    // expected-error @+1 {{cache_read: schedule block "R" may overwrite "A" between the copy and schedule block "R": iteration i = 0 of "R" (writes) and iteration i = 1 of "R" (reads) both access "A"[1] (C7)}}
    loop.block "R" [%v: spatial 7] = (%i) reads(%A[%v : 1]) writes(%A[%v + 1 : 1]) {
      %n = affine.apply affine_map<(d0) -> (d0 + 1)>(%v)
      %x = memref.load %A[%v] : memref<8xf32>
      memref.store %x, %A[%n] : memref<8xf32>
    }
  }
  return
}

func.func @c7_same_instance(%A: memref<8xf32> {loop.name = "A"})
    attributes {refused = "cache_read 'R' in %f buffer 'A' scope 'shared'"} {
  loop.for serial %i in 8 {
    // expected-note @+2 {{the writer is here}}
    // expected-error @+1 {{cache_read: schedule block "R" may overwrite "A" between the copy and schedule block "R": iteration i = 0 of "R" (writes) and iteration i = 0 of "R" (reads) both access "A"[0] (C7)}}
    loop.block "R" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%A[%v : 1]) {
      %one = arith.constant 1.0 : f32
      memref.store %one, %A[%v] : memref<8xf32>
      %x = memref.load %A[%v] : memref<8xf32>
      %two = arith.addf %x, %one : f32
      memref.store %two, %A[%v] : memref<8xf32>
    }
  }
  return
}

func.func @c7_at_once(%A: memref<32xf32> {loop.name = "A"}, %B: memref<8xf32>)
    attributes {refused = "cache_read 'R' in %f buffer 'T' scope 'local'"} {
  %T = loop.buffer "T" scope(global) : memref<32xf32>
  loop.for parallel %i in 8 {
    loop.for serial %j in 2 {
      // expected-note @+1 {{the writer is here}}
      loop.block "W" [%v: spatial 8, %w: spatial 2] = (%i, %j) reads(%A[%v + %w * 16 : 1]) writes(%T[%v + %w * 16 : 1]) {
        %0 = affine.apply affine_map<(d0, d1) -> (d0 + d1 * 16)>(%v, %w)
        %x = memref.load %A[%0] : memref<32xf32>
        memref.store %x, %T[%0] : memref<32xf32>
      }
    }
    loop.for serial %j in 2 {
      // expected-error @+1 {{cache_read: schedule block "W" may overwrite "T" between the copy and schedule block "R"; proof "assume" takes it as true (C7)}}
      loop.block "R" [%v: spatial 8, %w: spatial 2] = (%i, %j) reads(%T[%v + %w * 16 : 1]) writes(%B[%v : 1]) {
        %0 = affine.apply affine_map<(d0, d1) -> (d0 + d1 * 16)>(%v, %w)
        %x = memref.load %T[%0] : memref<32xf32>
        memref.store %x, %B[%v] : memref<8xf32>
      }
    }
  }
  return
}

func.func private @g(memref<8xf32>)
func.func @c7_call(%A: memref<8xf32> {loop.name = "A"}, %B: memref<8xf32> {loop.name = "B"})
    attributes {refused = "cache_read 'R' in %f buffer 'A' scope 'shared' consumers ['R', 'S']"} {
  loop.for serial %i in 8 {
    loop.block "R" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%B[%v : 1]) {
      %x = memref.load %A[%v] : memref<8xf32>
      memref.store %x, %B[%v] : memref<8xf32>
    }
  }
  // expected-note @+1 {{it is here}}
  func.call @g(%A) : (memref<8xf32>) -> ()
  loop.for serial %i in 8 {
    // expected-error @+1 {{cache_read: something other than schedule blocks may write "A" between the copy and its use; proof "assume" takes it as true (C7)}}
    loop.block "S" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%B[%v : 1]) {
      %x = memref.load %A[%v] : memref<8xf32>
      memref.store %x, %B[%v] : memref<8xf32>
    }
  }
  return
}

func.func @c8_threads(%A: memref<8xf32> {loop.name = "A"}, %B: memref<8xf32> {loop.name = "B"})
    attributes {refused = "cache_read 'R' in %f buffer 'A' scope 'shared'"} {
  loop.for thread_bind[blockIdx.x] %o in 4 {
    loop.for thread_bind[threadIdx.x] %t in 8 {
      // expected-error @+1 {{cache_read: schedule block "R" runs in the threads of loop "t", the copy outside of them: the two would not be ordered; proof "assume" takes it as true (C8)}}
      loop.block "R" [%v: spatial 8] = (%t) reads(%A[%v : 1]) writes(%B[%v : 1]) {
        %x = memref.load %A[%v] : memref<8xf32>
        memref.store %x, %B[%v] : memref<8xf32>
      }
    }
  }
  return
}

// The threads' writes are before the barrier, and so is the copy.
func.func @c8_written_by_threads(%A: memref<4x8xf32> {loop.name = "A"}, %B: memref<4x8xf32>)
    attributes {refused = "cache_read 'R' in %f buffer 'T' scope 'shared'"} {
  %T = loop.buffer "T" scope(shared) : memref<8xf32>
  loop.for serial %o in 4 {
    loop.for thread_bind[threadIdx.x] %t in 8 {
      // expected-error @+1 {{cache_read: schedule block "W" runs in the threads of loop "t", the copy outside of them: the two would not be ordered; proof "assume" takes it as true (C8)}}
      loop.block "W" [%u: spatial 4, %v: spatial 8] = (%o, %t) reads(%A[%u : 1, %v : 1]) writes(%T[%v : 1]) {
        %x = memref.load %A[%u, %v] : memref<4x8xf32>
        memref.store %x, %T[%v] : memref<8xf32>
      }
    }
    loop.for serial %i in 8 {
      loop.sync
      loop.block "R" [%u: spatial 4, %v: spatial 8] = (%o, %i) reads(%T[%v : 1]) writes(%B[%u : 1, %v : 1]) {
        %x = memref.load %T[%v] : memref<8xf32>
        memref.store %x, %B[%u, %v] : memref<4x8xf32>
      }
    }
  }
  return
}

func.func @c9_at_once(%A: memref<8xf32> {loop.name = "A"}, %B: memref<4x8xf32>)
    attributes {refused = "cache_read 'R' in %f buffer 'T' scope 'global'"} {
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
        // expected-error @+1 {{cache_read: iterations of loop "o" would copy "T" concurrently: cannot prove that they copy different cells; proof "assume" takes it as true (C9)}}
        loop.block "R" [%v: spatial 8] = (%i) reads(%T[%v : 1]) writes(%B[%vo : 1, %v : 1]) {
          %x = memref.load %T[%v] : memref<8xf32>
          memref.store %x, %B[%vo, %v] : memref<4x8xf32>
        }
      }
    }
  }
  return
}

func.func @c4_consumer_is_a_nest(%A: memref<8xf32> {loop.name = "A"}, %B: memref<8xf32> {loop.name = "B"})
    attributes {refused = "cache_read 'R' in %f buffer 'A' scope 'shared' consumers ['R', 'N']"} {
  loop.for serial %i in 8 {
    loop.block "R" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%B[%v : 1]) {
      %x = memref.load %A[%v] : memref<8xf32>
      memref.store %x, %B[%v] : memref<8xf32>
    }
  }
  // expected-error @+1 {{cache_read: schedule block "N" has a nest as its body (C4)}}
  loop.block "N" [] = () reads(%A[0 : 8]) writes(%B[0 : 8]) {
    loop.for serial %i in 8 {
      loop.block "S" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%B[%v : 1]) {
        %x = memref.load %A[%v] : memref<8xf32>
        memref.store %x, %B[%v] : memref<8xf32>
      }
    }
  }
  return
}

// expected-error @+1 {{cache_read: there is no schedule block "S", there are "R" (C4)}}
func.func @c4_no_block(%A: memref<8xf32> {loop.name = "A"}, %B: memref<8xf32> {loop.name = "B"})
    attributes {refused = "cache_read 'R' in %f buffer 'A' scope 'shared' consumers ['R', 'S']"} {
  loop.for serial %i in 8 {
    loop.block "R" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%B[%v : 1]) {
      %x = memref.load %A[%v] : memref<8xf32>
      memref.store %x, %B[%v] : memref<8xf32>
    }
  }
  return
}

// Over no iterations the sum is its start value, which a copy in the loop would not contain.
func.func @c10_start_read_from_the_copy(%A: memref<?xi32>, %I: memref<1xi32>, %B: memref<1xi32>)
    attributes {refused = "cache_read 'B' in %f buffer 'arg1' scope 'shared'"} {
  %c0 = arith.constant 0 : index
  %n = memref.dim %A, %c0 : memref<?xi32>
  // expected-note @+1 {{the loop is here}}
  loop.for thread_bind[blockIdx.x] %k in %n {
    // expected-error @+1 {{cache_read: the start values of schedule block "B" read "arg1_shared_temp_buffer", which "arg1_shared_temp_buffer" would write in loop "k", over which "B" reduces and which may not run (C10)}}
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
