// RUN: lw-opt %s -verify-diagnostics --sched-expect-refusal

// expected-error @+1 {{blockize: there is no schedule block "X", there are "A" (C1)}}
func.func @blockize_c1_no_block() attributes {refused = "blockize 'X' in %f"} {
  loop.for serial %i in 4 { loop.block "A" [%v: spatial 4] = (%i) {} }
  return
}

func.func @blockize_c2_lanes(%A: memref<8xi32>) attributes {refused = "blockize 'A:j' in %f"} {
  // expected-note @+1 {{the loop is here}}
  loop.for vectorize %i in 4 {
    // expected-error @+1 {{blockize: loop "i" around is vectorized: its lanes would run a nest (C2)}}
    loop.for serial %j in 2 {
      loop.block "A" [%v: spatial 8] = (%i * 2 + %j) writes(%A[%v : 1]) {
        %one = arith.constant 1 : i32
        memref.store %one, %A[%v] : memref<8xi32>
      }
    }
  }
  return
}

func.func @blockize_c3_across(%A: memref<4x8xi32>, %B: memref<4xi32>) attributes {refused = "blockize 'B:k.1' in %f"} {
  loop.for serial %i in 4 {
    // expected-note @+1 {{the loop is here}}
    loop.for thread_bind[threadIdx.x] %k.0 in 4 {
      loop.for serial %k.1 in 2 {
      // expected-error @+1 {{blockize: schedule block "B" reduces across the threads of loop "k.0" (C3)}}
      loop.block "B" [%vi: spatial 4, %vk: reduce 8] = (%i, %k.0 * 2 + %k.1)
          reads(%A[%vi : 1, %vk : 1]) writes(%B[%vi : 1]) reducer(add, 0) {
        loop.init {
          %zero = arith.constant 0 : i32
          memref.store %zero, %B[%vi] : memref<4xi32>
        }
        %a = memref.load %A[%vi, %vk] : memref<4x8xi32>
        %b = memref.load %B[%vi] : memref<4xi32>
        %s = arith.addi %a, %b : i32
        memref.store %s, %B[%vi] : memref<4xi32>
      }
      }
    }
  }
  return
}

func.func @blockize_c4_mixed(%A: memref<9xi32>) attributes {refused = "blockize 'A:j' in %f"} {
  loop.for serial %i in 4 {
    loop.for serial %j in 2 {
      // expected-error @+1 {{blockize: what iter "v" of schedule block "A" is bound to mixes loops inside and outside: (i * 5 + j) floordiv 2, expected a sum of terms over either (C4)}}
      loop.block "A" [%v: spatial 9] = ((%i * 5 + %j) floordiv 2) writes(%A[%v : 1]) {
        %one = arith.constant 1 : i32
        memref.store %one, %A[%v] : memref<9xi32>
      }
    }
  }
  return
}

func.func @blockize_c5_overlap(%A: memref<8xi32>) attributes {refused = "blockize 'A:j' in %f"} {
  loop.for serial %i in 4 {
    loop.for serial %j in 3 {
      // expected-error @+1 {{blockize: iter "v" of schedule block "A" is bound to i * 2 outside and j inside: cannot prove that the inner part stays below the stride of the outer part (C5)}}
      loop.block "A" [%v: spatial 9] = (%i * 2 + %j) where(-%i * 2 - %j + 7 >= 0) writes(%A[%v : 1]) {
        %one = arith.constant 1 : i32
        memref.store %one, %A[%v] : memref<8xi32>
      }
    }
  }
  return
}

// Rounded up.
func.func @blockize_c6_ceil(%A: memref<8xi32>) attributes {refused = "blockize 'A:j' in %f"} {
  loop.for serial %i in 4 {
    loop.for serial %j in 2 {
      // expected-error @+1 {{blockize: the number of values of i ceildiv 2 is not known, from which the outer iter "v_o" of schedule block "A" is made (C6)}}
      loop.block "A" [%v: spatial 6] = (%i ceildiv 2 * 2 + %j) writes(%A[%v : 1]) {
        %one = arith.constant 1 : i32
        memref.store %one, %A[%v] : memref<8xi32>
      }
    }
  }
  return
}

// Without tiles nothing would start.
func.func @blockize_c7_empty(%A: memref<4x?xi32>, %B: memref<4xi32>, %n: index)
    attributes {refused = "blockize 'B:k.1' in %f"} {
  loop.for serial %i in 4 {
    // expected-note @+1 {{the loop is here}}
    loop.for serial %k.0 in %n {
      loop.for serial %k.1 in 2 {
      // expected-error @+1 {{blockize: schedule block "B" gives start values inside, and loop "k.0" outside, which it reduces over, may not run: use decompose_reduction first (C7)}}
      loop.block "B" [%vi: spatial 4, %vk: reduce %n * 2] = (%i, %k.0 * 2 + %k.1)
          reads(%A[%vi : 1, %vk : 1]) writes(%B[%vi : 1]) reducer(add, 0) {
        loop.init {
          %zero = arith.constant 0 : i32
          memref.store %zero, %B[%vi] : memref<4xi32>
        }
        %a = memref.load %A[%vi, %vk] : memref<4x?xi32>
        %b = memref.load %B[%vi] : memref<4xi32>
        %s = arith.addi %a, %b : i32
        memref.store %s, %B[%vi] : memref<4xi32>
      }
      }
    }
  }
  return
}

// The variable of an enclosing schedule block is outside.
func.func @blockize_c4_mixed_predicate(%A: memref<4x2xi32>) attributes {refused = "blockize 'A:j' in %f"} {
  loop.for serial %i in 4 {
    loop.block "O" [%v: spatial 4] = (%i) writes(%A[%v : 1, 0 : 2]) {
      loop.for serial %j in 2 {
        // expected-error @+1 {{blockize: what "A" depends on mixes loops inside and outside: v * j, expected a sum of terms over either (C4)}}
        loop.block "A" [%u: spatial 4, %w: spatial 2] = (%v, %j) where(%j * symbol(%v) - 1 >= 0)
            writes(%A[%u : 1, %w : 1]) {
          %one = arith.constant 1 : i32
          memref.store %one, %A[%u, %w] : memref<4x2xi32>
        }
      }
    }
  }
  return
}
