// RUN: lw-opt %s -verify-diagnostics --sched-expect-refusal

func.func @shift_c1_no_loop(%A: memref<?xf32>, %n: index) attributes {refused = "shift 'B:k' in %f by 1"} {
  loop.for serial %i in 30 {
    // expected-error @+1 {{shift: there is no loop "k" around schedule block "B", there are "i" (C1)}}
    loop.block "B" [%v: spatial 30] = (%i) writes(%A[%v : 1]) {
      %x = arith.constant 1.0 : f32
      memref.store %x, %A[%v] : memref<?xf32>
    }
  }
  return
}

func.func @shift_c2_parallel(%A: memref<?xf32>, %n: index) attributes {refused = "shift 'B:i' in %f by 1"} {
  // expected-error @+1 {{shift: loop "i" is parallel, expected serial (C2)}}
  loop.for parallel %i in 30 {
    loop.block "B" [%v: spatial 30] = (%i) writes(%A[%v : 1]) {
      %x = arith.constant 1.0 : f32
      memref.store %x, %A[%v] : memref<?xf32>
    }
  }
  return
}

func.func @shift_c3_nothing(%A: memref<?xf32>, %n: index) attributes {refused = "shift 'B:i' in %f"} {
  // expected-error @+1 {{shift: found by 0 and align 1, expected to shift by 0 or more and align to 1 or more, and one of the two above its minimum (C3)}}
  loop.for serial %i in 30 {
    loop.block "B" [%v: spatial 30] = (%i) writes(%A[%v : 1]) {
      %x = arith.constant 1.0 : f32
      memref.store %x, %A[%v] : memref<?xf32>
    }
  }
  return
}

func.func @shift_c3_back(%A: memref<?xf32>, %n: index) attributes {refused = "shift 'B:i' in %f by -1"} {
  // expected-error @+1 {{shift: found by -1 and align 1, expected to shift by 0 or more and align to 1 or more, and one of the two above its minimum (C3)}}
  loop.for serial %i in 30 {
    loop.block "B" [%v: spatial 30] = (%i) writes(%A[%v : 1]) {
      %x = arith.constant 1.0 : f32
      memref.store %x, %A[%v] : memref<?xf32>
    }
  }
  return
}

func.func @shift_c4_minimum(%A: memref<?xf32>, %n: index) attributes {refused = "shift 'B:i' in %f align 4"} {
  // expected-error @+1 {{shift: the extent of loop "i" is a minimum, which cannot be divided (C4)}}
  loop.for serial %i in min affine_map<()[s0] -> (s0, 30)>()[%n] {
    loop.block "B" [%v: spatial 30] = (%i) writes(%A[%v : 1]) {
      %x = arith.constant 1.0 : f32
      memref.store %x, %A[%v] : memref<?xf32>
    }
  }
  return
}

func.func @shift_c4_overflow(%A: memref<?xf32>, %n: index)
    attributes {refused = "shift 'B:i' in %f by 9223372036854775807"} {
  // expected-error @+1 {{shift: the new extent, shifted by 9223372036854775807, is too large for an index (C4)}}
  loop.for serial %i in 30 {
    loop.block "B" [%v: spatial 30] = (%i) writes(%A[%v : 1]) {
      %x = arith.constant 1.0 : f32
      memref.store %x, %A[%v] : memref<?xf32>
    }
  }
  return
}

func.func @shift_c5_nothing(%A: memref<?xi32>, %S: memref<i32>, %n: index)
    attributes {refused = "shift 'R:k' in %f by 1"} {
  // expected-error @+1 {{shift: schedule block "R" would lose its start values if its reduction is empty: loop "k" is at its first iteration there: its reduction may be empty; proof "assume" takes it as true (C5)}}
  loop.for serial %k in %n {
    loop.block "R" [%v: reduce %n] = (%k) reads(%A[%v : 1]) writes(%S[]) reducer(add, 0) {
      loop.init {
        %zero = arith.constant 0 : i32
        memref.store %zero, %S[] : memref<i32>
      }
      %x = memref.load %A[%v] : memref<?xi32>
      %y = memref.load %S[] : memref<i32>
      %s = arith.addi %x, %y : i32
      memref.store %s, %S[] : memref<i32>
    }
  }
  return
}

func.func @shift_c6_barrier(%A: memref<?xf32>, %n: index) attributes {refused = "shift 'B:i' in %f by 1"} {
  // expected-error @+1 {{shift: loop "i" holds a barrier (C6)}}
  loop.for serial %i in 30 {
    // expected-note @+1 {{the barrier is here}}
    loop.sync
    loop.block "B" [%v: spatial 30] = (%i) writes(%A[%v : 1]) {
      %x = arith.constant 1.0 : f32
      memref.store %x, %A[%v] : memref<?xf32>
    }
  }
  return
}

// No iter is bound to the loop, so the start evaluates its predicate in its first iteration.
func.func @shift_c5_no_point(%A: memref<?xi32>, %S: memref<i32>, %n: index)
    attributes {refused = "shift 'R:u' in %f by 1"} {
  loop.for serial %k in %n {
    // expected-error @+1 {{shift: schedule block "R" would lose its start values if its reduction is empty: loop "u" is at its first iteration there}}
    loop.for serial %u in 1 {
      loop.block "R" [%v: reduce %n] = (%k) reads(%A[%v : 1]) writes(%S[]) reducer(add, 0) {
        loop.init {
          %zero = arith.constant 0 : i32
          memref.store %zero, %S[] : memref<i32>
        }
        %x = memref.load %A[%v] : memref<?xi32>
        %y = memref.load %S[] : memref<i32>
        %s = arith.addi %x, %y : i32
        memref.store %s, %S[] : memref<i32>
      }
    }
  }
  return
}

// Without columns the fused loop had no iterations, and no division was executed.
func.func @shift_c7(%A: memref<?x?xf32>, %n: index, %m: index) attributes {refused = "shift 'B:i' in %f by 1"} {
  %zero = arith.constant 0.0 : f32
  loop.for serial %i in affine_map<()[s0, s1] -> (s0 * s1)>()[%n, %m] {
    // expected-error @+1 {{shift: it divides by a size that may be 0: loop "i" has no iterations then, but the shifted loop has some (C7)}}
    loop.block "B" [%v: spatial %n, %w: spatial %m] = (%i floordiv symbol(%m), %i mod symbol(%m)) writes(%A[%v : 1, %w : 1]) {
      memref.store %zero, %A[%v, %w] : memref<?x?xf32>
    }
  }
  return
}
