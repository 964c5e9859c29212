// RUN: lw-opt %s -split-input-file -verify-diagnostics --transform-interpreter

module attributes {transform.with_named_sequence} {
  func.func @c1_no_loop() {
    loop.for serial %i in 4 {
      loop.for serial %j in 8 {
        // expected-error @+1 {{sync_threads: there is no loop "k" around schedule block "B", there are "i", "j" (C1)}}
        loop.block "B" [%v: spatial 8] = (%j) {}
      }
    }
    return
  }
  transform.named_sequence @__transform_main(%f: !transform.any_op) {
    // expected-note @+1 {{in this step of the script}}
    transform.sched.sync_threads "B:k" in %f
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  func.func @c2_place() {
    loop.for serial %i in 4 {
      // expected-error @+1 {{sync_threads: "inside" is not a position, expected before or after (C2)}}
      loop.for serial %j in 8 {
        loop.block "B" [%v: spatial 8] = (%j) {}
      }
    }
    return
  }
  transform.named_sequence @__transform_main(%f: !transform.any_op) {
    // expected-note @+1 {{in this step of the script}}
    transform.sched.sync_threads "B:j" in %f place "inside"
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  func.func @c3_function() {
    // expected-error @+1 {{sync_threads: "B:j" is in no loop: nests at function level run one after the other anyway (C3)}}
    loop.for serial %j in 8 {
      loop.block "B" [%v: spatial 8] = (%j) {}
    }
    return
  }
  transform.named_sequence @__transform_main(%f: !transform.any_op) {
    // expected-note @+1 {{in this step of the script}}
    transform.sched.sync_threads "B:j" in %f
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  func.func @c4_twice() {
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
  transform.named_sequence @__transform_main(%f: !transform.any_op) {
    // expected-note @+1 {{in this step of the script}}
    transform.sched.sync_threads "B:j" in %f
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  func.func @c4_after() {
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
  transform.named_sequence @__transform_main(%f: !transform.any_op) {
    // expected-note @+1 {{in this step of the script}}
    transform.sched.sync_threads "B:j" in %f place "after"
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  func.func @c5_parallel() {
    // expected-note @+1 {{the loop is here}}
    loop.for parallel %i in 4 {
      // expected-error @+1 {{sync_threads: the iterations of loop "i", which is parallel, are not threads that can wait for each other (C5)}}
      loop.for serial %j in 8 {
        loop.block "B" [%v: spatial 8] = (%j) {}
      }
    }
    return
  }
  transform.named_sequence @__transform_main(%f: !transform.any_op) {
    // expected-note @+1 {{in this step of the script}}
    transform.sched.sync_threads "B:j" in %f
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  func.func @c5_vectorize() {
    // expected-note @+1 {{the loop is here}}
    loop.for vectorize %i in 4 {
      // expected-error @+1 {{sync_threads: the iterations of loop "i", which is vectorize, are not threads that can wait for each other (C5)}}
      loop.for serial %j in 8 {
        loop.block "B" [%v: spatial 8] = (%j) {}
      }
    }
    return
  }
  transform.named_sequence @__transform_main(%f: !transform.any_op) {
    // expected-note @+1 {{in this step of the script}}
    transform.sched.sync_threads "B:j" in %f
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  func.func @c6_if() {
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
  transform.named_sequence @__transform_main(%f: !transform.any_op) {
    // expected-note @+1 {{in this step of the script}}
    transform.sched.sync_threads "B:j" in %f
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  func.func @c6_predicate() {
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
  transform.named_sequence @__transform_main(%f: !transform.any_op) {
    // expected-note @+1 {{in this step of the script}}
    transform.sched.sync_threads "B:j" in %f
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  func.func @c7_extent() {
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
  transform.named_sequence @__transform_main(%f: !transform.any_op) {
    // expected-note @+1 {{in this step of the script}}
    transform.sched.sync_threads "B:j" in %f
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  func.func @c7_extent_by_iter() {
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
  transform.named_sequence @__transform_main(%f: !transform.any_op) {
    // expected-note @+1 {{in this step of the script}}
    transform.sched.sync_threads "B:j" in %f
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  func.func @c8_other_threads() {
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
  transform.named_sequence @__transform_main(%f: !transform.any_op) {
    // expected-note @+1 {{in this step of the script}}
    transform.sched.sync_threads "B:j" in %f
    transform.yield
  }
}
