// RUN: lw-opt %s -verify-diagnostics --sched-expect-refusal

func.func @remove_c1_no_loop(%A: memref<8xf32>, %B: memref<8xf32>) attributes {refused = "remove_loop 'B:k' in %f"} {
  loop.for serial %t in 4 {
    loop.for serial %i in 8 {
      // expected-error @+1 {{remove_loop: there is no loop "k" around schedule block "B", there are "t", "i" (C1)}}
      loop.block "B" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%B[%v : 1]) {
        %a = memref.load %A[%v] : memref<8xf32>
        memref.store %a, %B[%v] : memref<8xf32>
      }
    }
  }
  return
}

func.func @remove_c2_parallel(%A: memref<8xf32>, %B: memref<8xf32>) attributes {refused = "remove_loop 'B:t' in %f"} {
  // expected-error @+1 {{remove_loop: loop "t" is parallel, expected serial (C2)}}
  loop.for parallel %t in 4 {
    loop.for serial %i in 8 {
      loop.block "B" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%B[%v : 1]) {
        %a = memref.load %A[%v] : memref<8xf32>
        memref.store %a, %B[%v] : memref<8xf32>
      }
    }
  }
  return
}

func.func @remove_c2_annotated(%A: memref<8xf32>, %B: memref<8xf32>) attributes {refused = "remove_loop 'B:t' in %f"} {
  // expected-error @+1 {{remove_loop: loop "t" has the annotation "note", which would be lost: unannotate it first (C2)}}
  loop.for serial %t in 4 attributes {loop.annotations = {note = 1 : i64}} {
    loop.for serial %i in 8 {
      loop.block "B" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%B[%v : 1]) {
        %a = memref.load %A[%v] : memref<8xf32>
        memref.store %a, %B[%v] : memref<8xf32>
      }
    }
  }
  return
}

func.func @remove_c3_used(%A: memref<8xf32>, %B: memref<8xf32>) attributes {refused = "remove_loop 'B:t' in %f"} {
  // expected-error @+1 {{remove_loop: the variable of loop "t" is used (C3)}}
  loop.for serial %t in 4 {
    loop.for serial %i in 8 {
      // expected-note @+1 {{this uses it}}
      loop.block "B" [%v: spatial 8] = ((%i + %t) mod 8) reads(%A[%v : 1]) writes(%B[%v : 1]) {
        %a = memref.load %A[%v] : memref<8xf32>
        memref.store %a, %B[%v] : memref<8xf32>
      }
    }
  }
  return
}

func.func @remove_c4_repeats(%A: memref<8xf32>, %B: memref<8xf32>) attributes {refused = "remove_loop 'B:t' in %f"} {
  // expected-error @+1 {{remove_loop: loop "t" is not proved to do the same in each iteration: it may read values of the previous iteration; proof "assume" takes it as true (C4)}}
  loop.for serial %t in 4 {
    loop.for serial %i in 8 {
      loop.block "B" [%v: spatial 8] = (%i) reads(%B[%v : 1]) writes(%B[%v : 1]) {
        %a = memref.load %B[%v] : memref<8xf32>
        memref.store %a, %B[%v] : memref<8xf32>
      }
    }
  }
  return
}

func.func @remove_c4_goes_on(%A: memref<4xi32>, %S: memref<i32>) attributes {refused = "remove_loop 'B:t' in %f"} {
  // expected-error @+1 {{remove_loop: loop "t" is not proved to do the same in each iteration: it may read values of the previous iteration; proof "assume" takes it as true (C4)}}
  loop.for serial %t in 3 {
    loop.for serial %k in 4 {
      loop.block "B" [%v: reduce 4] = (%k) where(%k - 1 >= 0) reads(%A[%v : 1]) writes(%S[]) reducer(add, 0) {
        loop.init {
          %z = arith.constant 0 : i32
          memref.store %z, %S[] : memref<i32>
        }
        %a = memref.load %A[%v] : memref<4xi32>
        %s = memref.load %S[] : memref<i32>
        %r = arith.addi %s, %a : i32
        memref.store %r, %S[] : memref<i32>
      }
    }
  }
  return
}

func.func @remove_c5_barrier(%A: memref<8xf32>, %B: memref<8xf32>) attributes {refused = "remove_loop 'B:t' in %f"} {
  // expected-error @+1 {{remove_loop: loop "t" holds a barrier (C5)}}
  loop.for serial %t in 4 {
    // expected-note @+1 {{the barrier is here}}
    loop.sync
    loop.for serial %i in 8 {
      loop.block "B" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%B[%v : 1]) {
        %a = memref.load %A[%v] : memref<8xf32>
        memref.store %a, %B[%v] : memref<8xf32>
      }
    }
  }
  return
}

func.func @remove_c5_kernel(%A: memref<8xf32>, %B: memref<8xf32>) attributes {refused = "remove_loop 'B:t' in %f"} {
  // expected-error @+1 {{remove_loop: loop "t" is a kernel, which would become several (C5)}}
  loop.for serial %t in 4 {
    // expected-note @+1 {{this loop is bound}}
    loop.for thread_bind[threadIdx.x] %i in 8 {
      loop.block "B" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%B[%v : 1]) {
        %a = memref.load %A[%v] : memref<8xf32>
        memref.store %a, %B[%v] : memref<8xf32>
      }
    }
  }
  return
}
