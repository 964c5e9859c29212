// RUN: lw-opt %s -verify-diagnostics --sched-expect-refusal

func.func @join_c1_no_loop(%A: memref<30xf32>) attributes {refused = "join 'B:k' in %f"} {
  loop.for serial %i in 2 {
    // expected-error @+1 {{join: there is no loop "k" around schedule block "B", there are "i" (C1)}}
    loop.block "B" [%v: spatial 30] = (%i) writes(%A[%v : 1]) {
      %x = arith.constant 1.0 : f32
      memref.store %x, %A[%v] : memref<30xf32>
    }
  }
  loop.for serial %j in 28 {
    loop.block "C" [%v: spatial 30] = (%j + 2) writes(%A[%v : 1]) {
      %x = arith.constant 1.0 : f32
      memref.store %x, %A[%v] : memref<30xf32>
    }
  }
  return
}

func.func @join_c2_parallel(%A: memref<30xf32>) attributes {refused = "join 'B:i' in %f"} {
  // expected-error @+1 {{join: loop "i" is parallel, expected serial (C2)}}
  loop.for parallel %i in 2 {
    loop.block "B" [%v: spatial 30] = (%i) writes(%A[%v : 1]) {
      %x = arith.constant 1.0 : f32
      memref.store %x, %A[%v] : memref<30xf32>
    }
  }
  loop.for parallel %j in 28 {
    loop.block "C" [%v: spatial 30] = (%j + 2) writes(%A[%v : 1]) {
      %x = arith.constant 1.0 : f32
      memref.store %x, %A[%v] : memref<30xf32>
    }
  }
  return
}

func.func @join_c2_another_kind(%A: memref<30xf32>) attributes {refused = "join 'B:i' in %f"} {
  // expected-error @+1 {{join: loop "i" is not directly followed by a loop that is serial too (C2)}}
  loop.for serial %i in 2 {
    loop.block "B" [%v: spatial 30] = (%i) writes(%A[%v : 1]) {
      %x = arith.constant 1.0 : f32
      memref.store %x, %A[%v] : memref<30xf32>
    }
  }
  loop.for unroll %j in 28 {
    loop.block "C" [%v: spatial 30] = (%j + 2) writes(%A[%v : 1]) {
      %x = arith.constant 1.0 : f32
      memref.store %x, %A[%v] : memref<30xf32>
    }
  }
  return
}

func.func @join_c2_nothing_behind(%A: memref<30xf32>) attributes {refused = "join 'C:j' in %f"} {
  loop.for serial %i in 2 {
    loop.block "B" [%v: spatial 30] = (%i) writes(%A[%v : 1]) {
      %x = arith.constant 1.0 : f32
      memref.store %x, %A[%v] : memref<30xf32>
    }
  }
  // expected-error @+1 {{join: loop "j" is not directly followed by a loop that is serial too (C2)}}
  loop.for serial %j in 28 {
    loop.block "C" [%v: spatial 30] = (%j + 2) writes(%A[%v : 1]) {
      %x = arith.constant 1.0 : f32
      memref.store %x, %A[%v] : memref<30xf32>
    }
  }
  return
}

func.func @join_c2_annotated(%A: memref<30xf32>) attributes {refused = "join 'B:i' in %f"} {
  loop.for serial %i in 2 {
    loop.block "B" [%v: spatial 30] = (%i) writes(%A[%v : 1]) {
      %x = arith.constant 1.0 : f32
      memref.store %x, %A[%v] : memref<30xf32>
    }
  }
  // expected-error @+1 {{join: loop "j" has the annotation "note", which would be lost: unannotate it first (C2)}}
  loop.for serial %j in 28 attributes {loop.annotations = {note = 1 : i64}} {
    loop.block "C" [%v: spatial 30] = (%j + 2) writes(%A[%v : 1]) {
      %x = arith.constant 1.0 : f32
      memref.store %x, %A[%v] : memref<30xf32>
    }
  }
  return
}

func.func @join_c3_it_starts_again(%A: memref<30xf32>) attributes {refused = "join 'B:i' in %f"} {
  loop.for serial %i in 2 {
    // expected-note @+1 {{it is not structurally equal to this}}
    loop.block "B" [%v: spatial 30] = (%i) writes(%A[%v : 1]) {
      %x = arith.constant 1.0 : f32
      memref.store %x, %A[%v] : memref<30xf32>
    }
  }
  loop.for serial %j in 28 {
    // expected-error @+1 {{join: "C" is not structurally equal to "B", which it continues (C3)}}
    loop.block "C" [%v: spatial 30] = (%j) writes(%A[%v : 1]) {
      %x = arith.constant 1.0 : f32
      memref.store %x, %A[%v] : memref<30xf32>
    }
  }
  return
}

func.func @join_c3_another_value(%A: memref<30xf32>) attributes {refused = "join 'B:i' in %f"} {
  loop.for serial %i in 2 {
    // expected-note @+1 {{it is not structurally equal to this}}
    loop.block "B" [%v: spatial 30] = (%i) writes(%A[%v : 1]) {
      %x = arith.constant 1.0 : f32
      memref.store %x, %A[%v] : memref<30xf32>
    }
  }
  loop.for serial %j in 28 {
    // expected-error @+1 {{join: "C" is not structurally equal to "B", which it continues (C3)}}
    loop.block "C" [%v: spatial 30] = (%j + 2) writes(%A[%v : 1]) {
      %x = arith.constant 2.0 : f32
      memref.store %x, %A[%v] : memref<30xf32>
    }
  }
  return
}

func.func @join_c4_a_gap(%A: memref<30xf32>, %n: index) attributes {refused = "join 'B:i' in %f"} {
  loop.for serial %i in 2 {
    loop.block "B" [%v: spatial 30] = (%i) writes(%A[%v : 1]) {
      %x = arith.constant 1.0 : f32
      memref.store %x, %A[%v] : memref<30xf32>
    }
  }
  // expected-error @+1 {{join: loop "j" is not proved to begin where loop "i" ends: the first may have fewer iterations, or more; proof "assume" takes it as true (C4)}}
  loop.for serial %j in min affine_map<()[s0] -> (s0 - 2, 28)>()[%n] {
    loop.block "C" [%v: spatial 30] = (%j + 2) writes(%A[%v : 1]) {
      %x = arith.constant 1.0 : f32
      memref.store %x, %A[%v] : memref<30xf32>
    }
  }
  return
}

// Each row has a sum, in the first part and in the second.
func.func @join_c3_starts_twice(%A: memref<30xi32>, %S: memref<30xi32>) attributes {refused = "join 'B:i' in %f"} {
  loop.for serial %i in 2 {
    // expected-note @+1 {{it is not structurally equal to this}}
    loop.block "B" [%v: spatial 30, %k: reduce 1] = (%i, 0) reads(%A[%v : 1], %S[%v : 1]) writes(%S[%v : 1]) reducer(add, 0) {
      loop.init {
        %zero = arith.constant 0 : i32
        memref.store %zero, %S[%v] : memref<30xi32>
      }
      %x = memref.load %A[%v] : memref<30xi32>
      %y = memref.load %S[%v] : memref<30xi32>
      %s = arith.addi %x, %y : i32
      memref.store %s, %S[%v] : memref<30xi32>
    }
  }
  loop.for serial %j in 28 {
    // expected-error @+1 {{join: "C" is not structurally equal to "B", which it continues (C3)}}
    loop.block "C" [%v: spatial 30, %k: reduce 1] = (%j + 2, 0) reads(%A[%v : 1], %S[%v : 1]) writes(%S[%v : 1]) reducer(add, 0) {
      %x = memref.load %A[%v] : memref<30xi32>
      %y = memref.load %S[%v] : memref<30xi32>
      %s = arith.addi %x, %y : i32
      memref.store %s, %S[%v] : memref<30xi32>
    }
  }
  return
}

// In the loop over t it starts again in every iteration.
func.func @join_c5_starts_anew(%A: memref<?xi32>, %S: memref<i32>, %n: index)
    attributes {refused = "join 'sum:k' in %f"} {
  loop.for serial %t in 3 {
    // expected-error @+1 {{join: the initialization of schedule block "sum" would change: there may be no whole tile, and an outer loop reduces too: there may be no whole tile, and an outer loop reduces too; proof "assume" takes it as true (C5)}}
    loop.for serial %k in %n {
      // expected-note @+1 {{the schedule block is here}}
      loop.block "sum" [%u: reduce 3, %v: reduce %n] = (%t, %k) reads(%A[%v : 1], %S[]) writes(%S[]) reducer(add, 0) {
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
    loop.for serial %l in 2 {
      loop.block "more" [%u: reduce 3, %v: reduce %n + 2] = (%t, %l + symbol(%n)) reads(%A[%v : 1], %S[]) writes(%S[]) reducer(add, 0) {
        %x = memref.load %A[%v] : memref<?xi32>
        %y = memref.load %S[] : memref<i32>
        %s = arith.addi %x, %y : i32
        memref.store %s, %S[] : memref<i32>
      }
    }
  }
  return
}

func.func @join_c6_kernels(%A: memref<30x8xf32>) attributes {refused = "join 'B:i' in %f"} {
  // expected-error @+1 {{join: loop "i" and the next one are kernels, and one waits for the other (C6)}}
  loop.for serial %i in 2 {
    // expected-note @+1 {{this loop is bound}}
    loop.for thread_bind[threadIdx.x] %t in 8 {
      loop.block "B" [%v: spatial 30, %w: spatial 8] = (%i, %t) writes(%A[%v : 1, %w : 1]) {
        %x = arith.constant 1.0 : f32
        memref.store %x, %A[%v, %w] : memref<30x8xf32>
      }
    }
  }
  loop.for serial %j in 28 {
    loop.for thread_bind[threadIdx.x] %t in 8 {
      loop.block "C" [%v: spatial 30, %w: spatial 8] = (%j + 2, %t) writes(%A[%v : 1, %w : 1]) {
        %x = arith.constant 1.0 : f32
        memref.store %x, %A[%v, %w] : memref<30x8xf32>
      }
    }
  }
  return
}
