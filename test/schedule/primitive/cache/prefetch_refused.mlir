// RUN: lw-opt %s -verify-diagnostics --sched-expect-refusal

func.func @c1_no_loop(%A: memref<64x32xf32> {loop.name = "A"}, %B: memref<64x32xf32> {loop.name = "B"})
    attributes {refused = "prefetch 'B:k' in %f buffer 'A'"} {
  loop.for serial %i in 64 {
    loop.for serial %j in 32 {
      // expected-error @+1 {{prefetch: there is no loop "k" around schedule block "B", there are "i", "j" (C1)}}
      loop.block "B" [%v: spatial 64, %w: spatial 32] = (%i, %j) reads(%A[%v : 1, %w : 1]) writes(%B[%v : 1, %w : 1]) {
        %a = memref.load %A[%v, %w] : memref<64x32xf32>
        memref.store %a, %B[%v, %w] : memref<64x32xf32>
      }
    }
  }
  return
}

func.func @c1_parallel(%A: memref<64x32xf32> {loop.name = "A"}, %B: memref<64x32xf32> {loop.name = "B"})
    attributes {refused = "prefetch 'B:i' in %f buffer 'A'"} {
  // expected-error @+1 {{prefetch: iterations of loop "i" run concurrently, expected a loop whose iterations run one after the other, and in no loop of threads or lanes (C1)}}
  loop.for parallel %i in 64 {
    loop.for serial %j in 32 {
      loop.block "B" [%v: spatial 64, %w: spatial 32] = (%i, %j) reads(%A[%v : 1, %w : 1]) writes(%B[%v : 1, %w : 1]) {
        %a = memref.load %A[%v, %w] : memref<64x32xf32>
        memref.store %a, %B[%v, %w] : memref<64x32xf32>
      }
    }
  }
  return
}

func.func @c1_in_lanes(%A: memref<64x32xf32> {loop.name = "A"}, %B: memref<64x32xf32> {loop.name = "B"})
    attributes {refused = "prefetch 'B:j' in %f buffer 'A'"} {
  loop.for vectorize %i in 64 {
    // expected-error @+1 {{prefetch: iterations of loop "i" run concurrently, expected a loop whose iterations run one after the other, and in no loop of threads or lanes (C1)}}
    loop.for serial %j in 32 {
      loop.block "B" [%v: spatial 64, %w: spatial 32] = (%i, %j) reads(%A[%v : 1, %w : 1]) writes(%B[%v : 1, %w : 1]) {
        %a = memref.load %A[%v, %w] : memref<64x32xf32>
        memref.store %a, %B[%v, %w] : memref<64x32xf32>
      }
    }
  }
  return
}

func.func @c1_in_threads(%A: memref<64x32xf32> {loop.name = "A"}, %B: memref<64x32xf32> {loop.name = "B"})
    attributes {refused = "prefetch 'B:j' in %f buffer 'A'"} {
  loop.for thread_bind[blockIdx.x] %i in 64 {
    // expected-error @+1 {{prefetch: iterations of loop "i" run concurrently, expected a loop whose iterations run one after the other, and in no loop of threads or lanes (C1)}}
    loop.for serial %j in 32 {
      loop.block "B" [%v: spatial 64, %w: spatial 32] = (%i, %j) reads(%A[%v : 1, %w : 1]) writes(%B[%v : 1, %w : 1]) {
        %a = memref.load %A[%v, %w] : memref<64x32xf32>
        memref.store %a, %B[%v, %w] : memref<64x32xf32>
      }
    }
  }
  return
}

// expected-error @+1 {{prefetch: there is no buffer "C", there are "A", "B" (C2)}}
func.func @c2_no_buffer(%A: memref<64x32xf32> {loop.name = "A"}, %B: memref<64x32xf32> {loop.name = "B"})
    attributes {refused = "prefetch 'B:i' in %f buffer 'C'"} {
  loop.for serial %i in 64 {
    loop.for serial %j in 32 {
      loop.block "B" [%v: spatial 64, %w: spatial 32] = (%i, %j) reads(%A[%v : 1, %w : 1]) writes(%B[%v : 1, %w : 1]) {
        %a = memref.load %A[%v, %w] : memref<64x32xf32>
        memref.store %a, %B[%v, %w] : memref<64x32xf32>
      }
    }
  }
  return
}

func.func @c2_not_read(%A: memref<64x32xf32> {loop.name = "A"}, %B: memref<64x32xf32> {loop.name = "B"})
    attributes {refused = "prefetch 'B:i' in %f buffer 'B'"} {
  // expected-error @+1 {{prefetch: no schedule block in loop "i" reads "B" (C2)}}
  loop.for serial %i in 64 {
    loop.for serial %j in 32 {
      loop.block "B" [%v: spatial 64, %w: spatial 32] = (%i, %j) reads(%A[%v : 1, %w : 1]) writes(%B[%v : 1, %w : 1]) {
        %a = memref.load %A[%v, %w] : memref<64x32xf32>
        memref.store %a, %B[%v, %w] : memref<64x32xf32>
      }
    }
  }
  return
}

func.func @c3_near(%B: memref<64x32xf32> {loop.name = "B"}) attributes {refused = "prefetch 'B:i' in %f buffer 'T'"} {
  %A = loop.buffer "T" scope(local) : memref<64x32xf32>
  // expected-error @+1 {{prefetch: "T" is not in global memory: only global memory needs a prefetch (C3)}}
  loop.for serial %i in 64 {
    loop.for serial %j in 32 {
      loop.block "B" [%v: spatial 64, %w: spatial 32] = (%i, %j) reads(%A[%v : 1, %w : 1]) writes(%B[%v : 1, %w : 1]) {
        %a = memref.load %A[%v, %w] : memref<64x32xf32>
        memref.store %a, %B[%v, %w] : memref<64x32xf32>
      }
    }
  }
  return
}

func.func @c4_distance(%A: memref<64x32xf32> {loop.name = "A"}, %B: memref<64x32xf32> {loop.name = "B"})
    attributes {refused = "prefetch 'B:i' in %f buffer 'A' distance 65537"} {
  // expected-error @+1 {{prefetch: found distance 65537, expected 1 to 65536 (C4)}}
  loop.for serial %i in 64 {
    loop.for serial %j in 32 {
      loop.block "B" [%v: spatial 64, %w: spatial 32] = (%i, %j) reads(%A[%v : 1, %w : 1]) writes(%B[%v : 1, %w : 1]) {
        %a = memref.load %A[%v, %w] : memref<64x32xf32>
        memref.store %a, %B[%v, %w] : memref<64x32xf32>
      }
    }
  }
  return
}

func.func @c5_data(%A: memref<64xf32> {loop.name = "A"}, %P: memref<64x32xi32> {loop.name = "P"}, %B: memref<64x32xf32> {loop.name = "B"})
    attributes {refused = "prefetch 'B:i' in %f buffer 'A'"} {
  // expected-error @+1 {{prefetch: it is not known which cells of "A" schedule block "B" reads in an iteration (C5)}}
  loop.for serial %i in 64 {
    loop.for serial %j in 32 {
      loop.block "B" [%v: spatial 64, %w: spatial 32] = (%i, %j) reads(%A[*], %P[%v : 1, %w : 1]) writes(%B[%v : 1, %w : 1]) {
        %q = memref.load %P[%v, %w] : memref<64x32xi32>
        %p = arith.index_cast %q : i32 to index
        %a = memref.load %A[%p] : memref<64xf32>
        memref.store %a, %B[%v, %w] : memref<64x32xf32>
      }
    }
  }
  return
}

func.func @c5_quotient(%A: memref<64x?xf32> {loop.name = "A"}, %B: memref<64x?xf32> {loop.name = "B"}, %m: index)
    attributes {refused = "prefetch 'B:i' in %f buffer 'A'"} {
  // expected-error @+1 {{prefetch: it is not known which cells of "A" schedule block "B" reads in an iteration (C5)}}
  loop.for serial %i in 64 {
    loop.for serial %j in %m {
      loop.block "B" [%v: spatial 64, %w: spatial %m] = (%i floordiv symbol(%m), %j) reads(%A[%v : 1, %w : 1]) writes(%B[%v : 1, %w : 1]) {
        %a = memref.load %A[%v, %w] : memref<64x?xf32>
        memref.store %a, %B[%v, %w] : memref<64x?xf32>
      }
    }
  }
  return
}

func.func @c6_same_cells(%A: memref<32xf32> {loop.name = "A"}, %B: memref<64x32xf32> {loop.name = "B"})
    attributes {refused = "prefetch 'B:i' in %f buffer 'A'"} {
  // expected-error @+1 {{prefetch: each iteration of loop "i" reads the same cells of "A" (C6)}}
  loop.for serial %i in 64 {
    loop.for serial %j in 32 {
      loop.block "B" [%v: spatial 64, %w: spatial 32] = (%i, %j) reads(%A[%w : 1]) writes(%B[%v : 1, %w : 1]) {
        %a = memref.load %A[%w] : memref<32xf32>
        memref.store %a, %B[%v, %w] : memref<64x32xf32>
      }
    }
  }
  return
}

func.func @c7_again(%A: memref<64x32xf32> {loop.name = "A"}, %B: memref<64x32xf32> {loop.name = "B"})
    attributes {refused = "prefetch 'B:i' in %f buffer 'A'"} {
  // expected-error @+1 {{prefetch: "B:i" has the annotation "prefetch.A" already: unannotate it first (C7)}}
  loop.for serial %i in 64 attributes {loop.annotations = {prefetch.A = 1}} {
    loop.for serial %j in 32 {
      loop.block "B" [%v: spatial 64, %w: spatial 32] = (%i, %j) reads(%A[%v : 1, %w : 1]) writes(%B[%v : 1, %w : 1]) {
        %a = memref.load %A[%v, %w] : memref<64x32xf32>
        memref.store %a, %B[%v, %w] : memref<64x32xf32>
      }
    }
  }
  return
}
