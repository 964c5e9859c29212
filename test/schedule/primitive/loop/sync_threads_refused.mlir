// RUN: lw-opt %s -verify-diagnostics --sched-expect-refusal

func.func @c1_no_loop() attributes {refused = "sync_threads 'B:k' in %f"} {
  loop.for serial %i in 4 {
    loop.for serial %j in 8 {
      // expected-error @+1 {{sync_threads: there is no loop "k" around schedule block "B", there are "i", "j" (C1)}}
      loop.block "B" [%v: spatial 8] = (%j) {}
    }
  }
  return
}

func.func @c2_place() attributes {refused = "sync_threads 'B:j' in %f place 'inside'"} {
  loop.for serial %i in 4 {
    // expected-error @+1 {{sync_threads: "inside" is not a position, expected before or after (C2)}}
    loop.for serial %j in 8 {
      loop.block "B" [%v: spatial 8] = (%j) {}
    }
  }
  return
}

func.func @c3_function() attributes {refused = "sync_threads 'B:j' in %f"} {
  // expected-error @+1 {{sync_threads: "B:j" is in no loop: nests at function level run one after the other anyway (C3)}}
  loop.for serial %j in 8 {
    loop.block "B" [%v: spatial 8] = (%j) {}
  }
  return
}

func.func @c4_twice() attributes {refused = "sync_threads 'B:j' in %f"} {
  loop.for serial %i in 4 {
    // expected-note @+1 {{the barrier is here}}
    loop.sync
    // expected-error @+1 {{sync_threads: there is a barrier at "B:j" already (C4)}}
    loop.for serial %j in 8 {
      loop.block "B" [%v: spatial 8] = (%j) {}
    }
  }
  return
}

func.func @c4_after() attributes {refused = "sync_threads 'B:j' in %f place 'after'"} {
  loop.for serial %i in 4 {
    // expected-error @+1 {{sync_threads: there is a barrier at "B:j" already (C4)}}
    loop.for serial %j in 8 {
      loop.block "B" [%v: spatial 8] = (%j) {}
    }
    // expected-note @+1 {{the barrier is here}}
    loop.sync
  }
  return
}

func.func @c5_parallel() attributes {refused = "sync_threads 'B:j' in %f"} {
  // expected-note @+1 {{the loop is here}}
  loop.for parallel %i in 4 {
    // expected-error @+1 {{sync_threads: the iterations of loop "i", which is parallel, are not threads that can wait for each other (C5)}}
    loop.for serial %j in 8 {
      loop.block "B" [%v: spatial 8] = (%j) {}
    }
  }
  return
}

func.func @c5_vectorize() attributes {refused = "sync_threads 'B:j' in %f"} {
  // expected-note @+1 {{the loop is here}}
  loop.for vectorize %i in 4 {
    // expected-error @+1 {{sync_threads: the iterations of loop "i", which is vectorize, are not threads that can wait for each other (C5)}}
    loop.for serial %j in 8 {
      loop.block "B" [%v: spatial 8] = (%j) {}
    }
  }
  return
}

func.func @c6_if() attributes {refused = "sync_threads 'B:j' in %f"} {
  loop.for serial %i in 4 {
    // expected-note @+1 {{the 'loop.if' is here}}
    loop.if (%i - 1 >= 0) {
      // expected-error @+1 {{sync_threads: "B:j" is under a condition: some threads may not reach a barrier there (C6)}}
      loop.for serial %j in 8 {
        loop.block "B" [%v: spatial 8] = (%j) {}
      }
    }
  }
  return
}

func.func @c6_predicate() attributes {refused = "sync_threads 'B:j' in %f"} {
  loop.for serial %i in 4 {
    // expected-note @+1 {{the predicate is here}}
    loop.block "outer" [%vi: spatial 4] = (%i) where(%i - 1 >= 0) {
      // expected-error @+1 {{sync_threads: "B:j" is under a condition: some threads may not reach a barrier there (C6)}}
      loop.for serial %j in 8 {
        loop.block "B" [%v: spatial 8] = (%j) {}
      }
    }
  }
  return
}

func.func @c7_extent() attributes {refused = "sync_threads 'B:j' in %f"} {
  loop.for thread_bind[threadIdx.x] %t in 4 {
    // expected-note @+1 {{the loop is here}}
    loop.for serial %i in affine_map<(d0) -> (d0 + 1)>(%t) {
      // expected-error @+1 {{sync_threads: the extent of loop "i" differs between threads: they would not reach the barrier equally often (C7)}}
      loop.for serial %j in 8 {
        loop.block "B" [%v: spatial 8] = (%j) {}
      }
    }
  }
  return
}

func.func @c7_extent_by_iter() attributes {refused = "sync_threads 'B:j' in %f"} {
  loop.for thread_bind[threadIdx.x] %t in 4 {
    loop.block "outer" [%vt: spatial 4] = (%t) {
      // expected-note @+1 {{the loop is here}}
      loop.for serial %i in affine_map<(d0) -> (d0 + 1)>(%vt) {
        // expected-error @+1 {{sync_threads: the extent of loop "i" differs between threads: they would not reach the barrier equally often (C7)}}
        loop.for serial %j in 8 {
          loop.block "B" [%v: spatial 8] = (%j) {}
        }
      }
    }
  }
  return
}

func.func @c8_other_threads() attributes {refused = "sync_threads 'B:j' in %f"} {
  loop.for thread_bind[blockIdx.x] %o in 2 {
    loop.for thread_bind[threadIdx.x] %t in 4 {
      // expected-error @+1 {{sync_threads: loops "t" and "u" bind threadIdx.x with different extents: not all threads would reach the barrier (C8)}}
      loop.for serial %j in 8 {
        loop.block "B" [%v: spatial 8] = (%j) {}
      }
    }
    // expected-note @+1 {{the other loop is here}}
    loop.for thread_bind[threadIdx.x] %u in 8 {
      loop.block "C" [%v: spatial 8] = (%u) {}
    }
  }
  return
}
