// RUN: lw-opt %s -verify-diagnostics --sched-expect-refusal

// expected-error @+1 {{cache_inplace: there is no schedule block "Q", there are "B" (C1)}}
func.func @c1_no_block(%C: memref<8xf32> {loop.name = "C"}, %D: memref<8xf32> {loop.name = "D"})
    attributes {refused = "cache_inplace 'Q' in %f buffer 'C' scope 'local'"} {
  loop.for serial %i in 8 {
    loop.block "B" [%v: spatial 8] = (%i) reads(%C[%v : 1]) writes(%C[%v : 1]) {
      %c = memref.load %C[%v] : memref<8xf32>
      %d = arith.addf %c, %c : f32
      memref.store %d, %C[%v] : memref<8xf32>
    }
  }
  return
}

// expected-error @+1 {{cache_inplace: there is no buffer "Q", there are "C", "D" (C2)}}
func.func @c2_no_buffer(%C: memref<8xf32> {loop.name = "C"}, %D: memref<8xf32> {loop.name = "D"})
    attributes {refused = "cache_inplace 'B' in %f buffer 'Q' scope 'local'"} {
  loop.for serial %i in 8 {
    loop.block "B" [%v: spatial 8] = (%i) reads(%C[%v : 1]) writes(%C[%v : 1]) {
      %c = memref.load %C[%v] : memref<8xf32>
      %d = arith.addf %c, %c : f32
      memref.store %d, %C[%v] : memref<8xf32>
    }
  }
  return
}

func.func @c2_not_written(%C: memref<8xf32> {loop.name = "C"}, %D: memref<8xf32> {loop.name = "D"})
    attributes {refused = "cache_inplace 'B' in %f buffer 'C' scope 'local'"} {
  loop.for serial %i in 8 {
    // expected-error @+1 {{cache_inplace: schedule block "B" does not read old values of "C" and write it, or it has start values (C2)}}
    loop.block "B" [%v: spatial 8] = (%i) reads(%C[%v : 1]) writes(%D[%v : 1]) {
      %c = memref.load %C[%v] : memref<8xf32>
      memref.store %c, %D[%v] : memref<8xf32>
    }
  }
  return
}

func.func @c2_start(%C: memref<8xf32> {loop.name = "C"}, %D: memref<8xf32> {loop.name = "D"})
    attributes {refused = "cache_inplace 'B' in %f buffer 'C' scope 'local'"} {
  loop.for serial %i in 8 {
    // expected-error @+1 {{cache_inplace: schedule block "B" does not read old values of "C" and write it, or it has start values (C2)}}
    loop.block "B" [%v: reduce 8] = (%i) reads(%D[%v : 1]) writes(%C[0 : 1]) reducer(add, 0.0) {
      %c0 = arith.constant 0 : index
      loop.init {
        %0 = arith.constant 0 : index
        %z = arith.constant 0.0 : f32
        memref.store %z, %C[%0] : memref<8xf32>
      }
      %d = memref.load %D[%v] : memref<8xf32>
      %c = memref.load %C[%c0] : memref<8xf32>
      %s = arith.addf %c, %d : f32
      memref.store %s, %C[%c0] : memref<8xf32>
    }
  }
  return
}

func.func @c3_scope(%C: memref<8xf32> {loop.name = "C"}, %D: memref<8xf32> {loop.name = "D"})
    attributes {refused = "cache_inplace 'B' in %f buffer 'C' scope 'near'"} {
  loop.for serial %i in 8 {
    // expected-error @+1 {{cache_inplace: "near" is not a scope, expected global, shared or local (C3)}}
    loop.block "B" [%v: spatial 8] = (%i) reads(%C[%v : 1]) writes(%C[%v : 1]) {
      %c = memref.load %C[%v] : memref<8xf32>
      %d = arith.addf %c, %c : f32
      memref.store %d, %C[%v] : memref<8xf32>
    }
  }
  return
}

func.func private @g(memref<8xf32>)
func.func @c4_escapes(%C: memref<8xf32> {loop.name = "C"}, %D: memref<8xf32> {loop.name = "D"})
    attributes {refused = "cache_inplace 'B' in %f buffer 'C' scope 'local'"} {
  func.call @g(%C) : (memref<8xf32>) -> ()
  loop.for serial %i in 8 {
    // expected-error @+1 {{cache_inplace: something other than schedule blocks uses "C" (C4)}}
    loop.block "B" [%v: spatial 8] = (%i) reads(%C[%v : 1]) writes(%C[%v : 1]) {
      %c = memref.load %C[%v] : memref<8xf32>
      %d = arith.addf %c, %c : f32
      memref.store %d, %C[%v] : memref<8xf32>
    }
  }
  return
}

func.func @c5_branch(%C: memref<8xf32> {loop.name = "C"}, %D: memref<8xf32> {loop.name = "D"})
    attributes {refused = "cache_inplace 'B' in %f buffer 'C' scope 'local'"} {
  loop.for serial %i in 8 {
    // expected-note @+1 {{it is here}}
    loop.if (%i - 4 >= 0) {
      // expected-error @+1 {{cache_inplace: schedule blocks "B" and "E" are in one 'loop.if': there is no place for a copy (C5)}}
      loop.block "B" [%v: spatial 8] = (%i) reads(%C[%v : 1]) writes(%C[%v : 1]) {
        %c = memref.load %C[%v] : memref<8xf32>
        %d = arith.addf %c, %c : f32
        memref.store %d, %C[%v] : memref<8xf32>
      }
      loop.block "E" [%v: spatial 8] = (%i) reads(%C[%v : 1]) writes(%D[%v : 1]) {
        %c = memref.load %C[%v] : memref<8xf32>
        memref.store %c, %D[%v] : memref<8xf32>
      }
    }
  }
  return
}

func.func @c6_threads(%C: memref<8x8xf32> {loop.name = "C"})
    attributes {refused = "cache_inplace 'B' in %f buffer 'C' scope 'shared'"} {
  loop.for thread_bind[blockIdx.x] %b in 8 {
    loop.for thread_bind[threadIdx.x] %i in 8 {
      // expected-error @+1 {{cache_inplace: schedule block "B" runs in the threads of loop "i", the copy outside of them: the two would not be ordered; proof "assume" takes it as true (C6)}}
      loop.block "B" [%v: spatial 8, %w: spatial 8] = (%b, %i) reads(%C[%v : 1, %w : 1]) writes(%C[%v : 1, %w : 1]) {
        %c = memref.load %C[%v, %w] : memref<8x8xf32>
        %d = arith.addf %c, %c : f32
        memref.store %d, %C[%v, %w] : memref<8x8xf32>
      }
    }
  }
  return
}

func.func @c7_at_once(%C: memref<32xf32> {loop.name = "C"})
    attributes {refused = "cache_inplace 'B' in %f buffer 'C' scope 'local'"} {
  // expected-note @+1 {{the loop is here}}
  loop.for parallel %i in 8 {
    loop.for serial %j in 2 {
      // expected-error @+1 {{cache_inplace: iterations of loop "i" would copy "C" concurrently: cannot prove that they copy different cells; proof "assume" takes it as true (C7)}}
      loop.block "B" [%v: spatial 8, %w: spatial 2] = (%i, %j) reads(%C[%v + %w * 16 : 1]) writes(%C[%v + %w * 16 : 1]) {
        %0 = affine.apply affine_map<(d0, d1) -> (d0 + d1 * 16)>(%v, %w)
        %c = memref.load %C[%0] : memref<32xf32>
        %d = arith.addf %c, %c : f32
        memref.store %d, %C[%0] : memref<32xf32>
      }
    }
  }
  return
}
