// RUN: lw-opt %s -verify-diagnostics --sched-expect-refusal

func.func @c1_nest(%A: memref<7x5xf32>, %C: memref<7xf32>) attributes {refused = "pad_einsum 'S' in %f factors [4]"} {
  loop.for serial %i in 7 {
      // expected-error @+1 {{pad_einsum: schedule block "S" is not an einsum: its body is a nest (C1)}}
      loop.block "S" [%u: spatial 7] = (%i) reads(%A[%u : 1, *]) writes(%C[%u : 1]) {
        loop.for serial %k in 5 {
          loop.block "T" [%vi: spatial 7, %vk: reduce 5] = (%u, %k) reads(%A[%vi : 1, %vk : 1]) writes(%C[%vi : 1]) reducer(add, 0.0) {
            loop.init {
              %z = arith.constant 0.0 : f32
              memref.store %z, %C[%vi] : memref<7xf32>
            }
            %a = memref.load %A[%vi, %vk] : memref<7x5xf32>
            %c = memref.load %C[%vi] : memref<7xf32>
            %s = arith.addf %c, %a : f32
            memref.store %s, %C[%vi] : memref<7xf32>
          }
        }
      }
  }
  return
}

func.func @c1_predicate(%A: memref<7x5xf32>, %C: memref<7xf32>)
    attributes {refused = "pad_einsum 'S' in %f factors [4, 4]"} {
  loop.for serial %i in 7 {
    loop.for serial %k in 5 {
      // expected-error @+1 {{pad_einsum: schedule block "S" is not an einsum: it has a predicate (C1)}}
      loop.block "S" [%vi: spatial 7, %vk: reduce 5] = (%i, %k) where(-%i + 5 >= 0) reads(%A[%vi : 1, %vk : 1]) writes(%C[%vi : 1]) reducer(add, 0.0) {
        loop.init {
          %z = arith.constant 0.0 : f32
          memref.store %z, %C[%vi] : memref<7xf32>
        }
        %a = memref.load %A[%vi, %vk] : memref<7x5xf32>
        %c = memref.load %C[%vi] : memref<7xf32>
        %s = arith.addf %c, %a : f32
        memref.store %s, %C[%vi] : memref<7xf32>
      }
    }
  }
  return
}

func.func @c1_branch(%A: memref<7x5xf32>, %C: memref<7xf32>) attributes {refused = "pad_einsum 'S' in %f factors [4]"} {
  loop.for serial %i in 7 {
      // expected-error @+1 {{pad_einsum: schedule block "S" is not an einsum: it accesses buffers in a branch (C1)}}
      loop.block "S" [%vi: spatial 7] = (%i) reads(%A[%vi : 1, 0 : 1]) writes(%C[%vi : 1]) {
        %c0 = arith.constant 0 : index
        %x = loop.if (%vi - 1 >= 0) -> f32 {
          %a = memref.load %A[%vi, %c0] : memref<7x5xf32>
          loop.yield %a : f32
        } else {
          %z = arith.constant 0.0 : f32
          loop.yield %z : f32
        }
        memref.store %x, %C[%vi] : memref<7xf32>
      }
  }
  return
}

func.func @c1_shifted(%A: memref<7x5xf32>, %C: memref<7xf32>)
    attributes {refused = "pad_einsum 'S' in %f factors [4]"} {
  loop.for serial %i in 6 {
      // expected-error @+1 {{pad_einsum: schedule block "S" is not an einsum: an index is neither an iter nor a number (C1)}}
      loop.block "S" [%vi: spatial 6] = (%i) reads(%A[%vi + 1 : 1, 0 : 1]) writes(%C[%vi : 1]) {
        %c0 = arith.constant 0 : index
        %next = affine.apply affine_map<(d0) -> (d0 + 1)>(%vi)
        %a = memref.load %A[%next, %c0] : memref<7x5xf32>
        memref.store %a, %C[%vi] : memref<7xf32>
      }
  }
  return
}

func.func @c1_diagonal(%A: memref<7x5xf32>, %C: memref<7xf32>)
    attributes {refused = "pad_einsum 'S' in %f factors [4]"} {
  loop.for serial %i in 5 {
      // expected-error @+1 {{pad_einsum: schedule block "S" is not an einsum: an access uses an iter twice as index (C1)}}
      loop.block "S" [%vi: spatial 5] = (%i) reads(%A[%vi : 1, %vi : 1]) writes(%C[%vi : 1]) {
        %a = memref.load %A[%vi, %vi] : memref<7x5xf32>
        memref.store %a, %C[%vi] : memref<7xf32>
      }
  }
  return
}

func.func @c1_divides(%A: memref<7xi32>, %C: memref<7xi32>) attributes {refused = "pad_einsum 'S' in %f factors [4]"} {
  loop.for serial %i in 7 {
      // expected-error @+1 {{pad_einsum: schedule block "S" is not an einsum: it divides integers (C1)}}
      loop.block "S" [%vi: spatial 7] = (%i) reads(%A[%vi : 1]) writes(%C[%vi : 1]) {
        %one = arith.constant 1 : i32
        %a = memref.load %A[%vi] : memref<7xi32>
        %q = arith.divsi %one, %a : i32
        memref.store %q, %C[%vi] : memref<7xi32>
      }
  }
  return
}

func.func @c2_count(%A: memref<7x5xf32>, %C: memref<7xf32>) attributes {refused = "pad_einsum 'S' in %f factors [4]"} {
  loop.for serial %i in 7 {
    loop.for serial %k in 5 {
      // expected-error @+1 {{pad_einsum: found 1 factors, schedule block "S" has 2 iters (C2)}}
      loop.block "S" [%vi: spatial 7, %vk: reduce 5] = (%i, %k) reads(%A[%vi : 1, %vk : 1]) writes(%C[%vi : 1]) reducer(add, 0.0) {
        loop.init {
          %z = arith.constant 0.0 : f32
          memref.store %z, %C[%vi] : memref<7xf32>
        }
        %a = memref.load %A[%vi, %vk] : memref<7x5xf32>
        %c = memref.load %C[%vi] : memref<7xf32>
        %s = arith.addf %c, %a : f32
        memref.store %s, %C[%vi] : memref<7xf32>
      }
    }
  }
  return
}

func.func @c2_factor(%A: memref<7x5xf32>, %C: memref<7xf32>)
    attributes {refused = "pad_einsum 'S' in %f factors [4, 0]"} {
  loop.for serial %i in 7 {
    loop.for serial %k in 5 {
      // expected-error @+1 {{pad_einsum: found factor 0, expected a positive number (C2)}}
      loop.block "S" [%vi: spatial 7, %vk: reduce 5] = (%i, %k) reads(%A[%vi : 1, %vk : 1]) writes(%C[%vi : 1]) reducer(add, 0.0) {
        loop.init {
          %z = arith.constant 0.0 : f32
          memref.store %z, %C[%vi] : memref<7xf32>
        }
        %a = memref.load %A[%vi, %vk] : memref<7x5xf32>
        %c = memref.load %C[%vi] : memref<7xf32>
        %s = arith.addf %c, %a : f32
        memref.store %s, %C[%vi] : memref<7xf32>
      }
    }
  }
  return
}

func.func @c2_overflow(%A: memref<4611686018427387905xi8>, %C: memref<4611686018427387905xi8>)
    attributes {refused = "pad_einsum 'S' in %f factors [4611686018427387904]"} {
  loop.for serial %i in 4611686018427387905 {
    // expected-error @+1 {{pad_einsum: the product of factors [4611686018427387904] is too large for an index (C2)}}
    loop.block "S" [%vi: spatial 4611686018427387905] = (%i) reads(%A[%vi : 1]) writes(%C[%vi : 1]) {
      %a = memref.load %A[%vi] : memref<4611686018427387905xi8>
      memref.store %a, %C[%vi] : memref<4611686018427387905xi8>
    }
  }
  return
}

func.func @c2_bytes(%A: memref<7x5xf32>, %C: memref<7xf32>)
    attributes {refused = "pad_einsum 'S' in %f factors [9223372036854775807, 6]"} {
  loop.for serial %i in 7 {
    loop.for serial %k in 5 {
      // expected-error @+1 {{pad_einsum: the product of the dimensions of arg0_pad is too large for an index (C2)}}
      loop.block "S" [%vi: spatial 7, %vk: reduce 5] = (%i, %k) reads(%A[%vi : 1, %vk : 1]) writes(%C[%vi : 1]) reducer(add, 0.0) {
        loop.init {
          %z = arith.constant 0.0 : f32
          memref.store %z, %C[%vi] : memref<7xf32>
        }
        %a = memref.load %A[%vi, %vk] : memref<7x5xf32>
        %c = memref.load %C[%vi] : memref<7xf32>
        %s = arith.addf %c, %a : f32
        memref.store %s, %C[%vi] : memref<7xf32>
      }
    }
  }
  return
}

func.func @c3_no_start(%A: memref<7x5xf32>, %C: memref<7xf32>)
    attributes {refused = "pad_einsum 'S' in %f factors [4, 4]"} {
  loop.for serial %i in 7 {
    loop.for serial %k in 5 {
      // expected-error @+1 {{pad_einsum: schedule block "S" is not an einsum: its start values are given elsewhere (C3)}}
      loop.block "S" [%vi: spatial 7, %vk: reduce 5] = (%i, %k) reads(%A[%vi : 1, %vk : 1], %C[%vi : 1]) writes(%C[%vi : 1]) reducer(add, 0.0) {
        %a = memref.load %A[%vi, %vk] : memref<7x5xf32>
        %c = memref.load %C[%vi] : memref<7xf32>
        %s = arith.addf %c, %a : f32
        memref.store %s, %C[%vi] : memref<7xf32>
      }
    }
  }
  return
}

func.func @c3_ordered(%A: memref<7x5xf32>, %C: memref<7xf32>)
    attributes {refused = "pad_einsum 'S' in %f factors [4, 4]"} {
  loop.for serial %i in 7 {
    loop.for serial %k in 5 {
      // expected-error @+1 {{pad_einsum: schedule block "S" is not an einsum: it does not reduce to one value by a combiner (C3)}}
      loop.block "S" [%vi: spatial 7, %vk: reduce 5] = (%i, %k) reads(%A[%vi : 1, %vk : 1]) writes(%C[%vi : 1]) reducer(ordered) {
        loop.init {
          %z = arith.constant 0.0 : f32
          memref.store %z, %C[%vi] : memref<7xf32>
        }
        %a = memref.load %A[%vi, %vk] : memref<7x5xf32>
        %c = memref.load %C[%vi] : memref<7xf32>
        %s = arith.divf %c, %a : f32
        memref.store %s, %C[%vi] : memref<7xf32>
      }
    }
  }
  return
}

func.func @c3_place(%A: memref<7x5xf32>, %C: memref<7xf32>)
    attributes {refused = "pad_einsum 'S' in %f factors [4, 4]"} {
  loop.for serial %i in 7 {
    loop.for serial %k in 5 {
      // expected-error @+1 {{pad_einsum: schedule block "S" is not an einsum: the indices of its store are not exactly its spatial iters (C3)}}
      loop.block "S" [%vi: spatial 7, %vk: spatial 5] = (%i, %k) reads(%A[%vi : 1, %vk : 1]) writes(%C[%vi : 1]) {
        %a = memref.load %A[%vi, %vk] : memref<7x5xf32>
        memref.store %a, %C[%vi] : memref<7xf32>
      }
    }
  }
  return
}

func.func @c3_own_result(%A: memref<7x5xf32>, %C: memref<7xf32> {loop.name = "C"})
    attributes {refused = "pad_einsum 'S' in %f factors [4]"} {
  loop.for serial %i in 7 {
      // expected-error @+1 {{pad_einsum: schedule block "S" reads "C", which it writes (C3)}}
      loop.block "S" [%vi: spatial 7] = (%i) reads(%C[%vi : 1]) writes(%C[%vi : 1]) {
        %a = memref.load %C[%vi] : memref<7xf32>
        %s = arith.addf %a, %a : f32
        memref.store %s, %C[%vi] : memref<7xf32>
      }
  }
  return
}

func.func @c4_split(%A: memref<7x5xf32>, %C: memref<7xf32>)
    attributes {refused = "pad_einsum 'S' in %f factors [4, 4]"} {
  loop.for serial %i in 1 {
    loop.for serial %k in 5 {
      // expected-error @+1 {{pad_einsum: iter "vi" of schedule block "S" is bound to i * 7, expected a loop of its own that runs over its domain (C4)}}
      loop.block "S" [%vi: spatial 7, %vk: reduce 5] = (%i * 7, %k) reads(%A[%vi : 1, %vk : 1]) writes(%C[%vi : 1]) reducer(add, 0.0) {
        loop.init {
          %z = arith.constant 0.0 : f32
          memref.store %z, %C[%vi] : memref<7xf32>
        }
        %a = memref.load %A[%vi, %vk] : memref<7x5xf32>
        %c = memref.load %C[%vi] : memref<7xf32>
        %s = arith.addf %c, %a : f32
        memref.store %s, %C[%vi] : memref<7xf32>
      }
    }
  }
  return
}

func.func @c4_repeated(%A: memref<7x5xf32>, %C: memref<7xf32>)
    attributes {refused = "pad_einsum 'S' in %f factors [4, 4]"} {
  // expected-note @+1 {{the loop is here}}
  loop.for serial %t in 2 {
  loop.for serial %i in 7 {
    loop.for serial %k in 5 {
      // expected-error @+1 {{pad_einsum: loop "t" is bound to no iter of schedule block "S" (C4)}}
      loop.block "S" [%vi: spatial 7, %vk: reduce 5] = (%i, %k) reads(%A[%vi : 1, %vk : 1]) writes(%C[%vi : 1]) reducer(add, 0.0) {
        loop.init {
          %z = arith.constant 0.0 : f32
          memref.store %z, %C[%vi] : memref<7xf32>
        }
        %a = memref.load %A[%vi, %vk] : memref<7x5xf32>
        %c = memref.load %C[%vi] : memref<7xf32>
        %s = arith.addf %c, %a : f32
        memref.store %s, %C[%vi] : memref<7xf32>
      }
    }
  }
  }
  return
}

func.func @c4_not_alone(%A: memref<7x5xf32>, %C: memref<7xf32>, %D: memref<7xf32>)
    attributes {refused = "pad_einsum 'S' in %f factors [4, 4]"} {
  // expected-note @+1 {{the loop is here}}
  loop.for serial %i in 7 {
    loop.block "E" [%v: spatial 7] = (%i) reads(%A[%v : 1, 0 : 1]) writes(%D[%v : 1]) {
      %c0 = arith.constant 0 : index
      %a = memref.load %A[%v, %c0] : memref<7x5xf32>
      memref.store %a, %D[%v] : memref<7xf32>
    }
    loop.for serial %k in 5 {
      // expected-error @+1 {{pad_einsum: "S:k" is not the only statement in loop "i" (C4)}}
      loop.block "S" [%vi: spatial 7, %vk: reduce 5] = (%i, %k) reads(%A[%vi : 1, %vk : 1]) writes(%C[%vi : 1]) reducer(add, 0.0) {
        loop.init {
          %z = arith.constant 0.0 : f32
          memref.store %z, %C[%vi] : memref<7xf32>
        }
        %a = memref.load %A[%vi, %vk] : memref<7x5xf32>
        %c = memref.load %C[%vi] : memref<7xf32>
        %s = arith.addf %c, %a : f32
        memref.store %s, %C[%vi] : memref<7xf32>
      }
    }
  }
  return
}

func.func @c4_kind(%A: memref<7x5xf32>, %C: memref<7xf32>)
    attributes {refused = "pad_einsum 'S' in %f factors [4, 4]"} {
  // expected-error @+1 {{pad_einsum: loop "i" is thread_bind, expected serial (C4)}}
  loop.for thread_bind[threadIdx.x] %i in 7 {
    loop.for serial %k in 5 {
      loop.block "S" [%vi: spatial 7, %vk: reduce 5] = (%i, %k) reads(%A[%vi : 1, %vk : 1]) writes(%C[%vi : 1]) reducer(add, 0.0) {
        loop.init {
          %z = arith.constant 0.0 : f32
          memref.store %z, %C[%vi] : memref<7xf32>
        }
        %a = memref.load %A[%vi, %vk] : memref<7x5xf32>
        %c = memref.load %C[%vi] : memref<7xf32>
        %s = arith.addf %c, %a : f32
        memref.store %s, %C[%vi] : memref<7xf32>
      }
    }
  }
  return
}

func.func @c4_branch(%A: memref<7x5xf32>, %C: memref<7xf32>, %n: index)
    attributes {refused = "pad_einsum 'S' in %f factors [4, 4]"} {
  // expected-note @+1 {{it is here}}
  loop.if (symbol(%n) - 3 >= 0) {
  loop.for serial %i in 7 {
    loop.for serial %k in 5 {
      // expected-error @+1 {{pad_einsum: schedule block "S" is not an einsum: it is in a 'loop.if' (C4)}}
      loop.block "S" [%vi: spatial 7, %vk: reduce 5] = (%i, %k) reads(%A[%vi : 1, %vk : 1]) writes(%C[%vi : 1]) reducer(add, 0.0) {
        loop.init {
          %z = arith.constant 0.0 : f32
          memref.store %z, %C[%vi] : memref<7xf32>
        }
        %a = memref.load %A[%vi, %vk] : memref<7x5xf32>
        %c = memref.load %C[%vi] : memref<7xf32>
        %s = arith.addf %c, %a : f32
        memref.store %s, %C[%vi] : memref<7xf32>
      }
    }
  }
  }
  return
}

func.func @c5_own(%A: memref<7x5xf32>) attributes {refused = "pad_einsum 'S' in %f factors [4, 4]"} {
  %C = loop.buffer "T" scope(local) : memref<7xf32>
  // expected-note @+1 {{the loop is here}}
  loop.for parallel %i in 7 {
    loop.for serial %k in 5 {
      // expected-error @+1 {{pad_einsum: schedule block "S" accesses "T" of scope local: each iteration would have its own (C5)}}
      loop.block "S" [%vi: spatial 7, %vk: reduce 5] = (%i, %k) reads(%A[%vi : 1, %vk : 1]) writes(%C[%vi : 1]) reducer(add, 0.0) {
        loop.init {
          %z = arith.constant 0.0 : f32
          memref.store %z, %C[%vi] : memref<7xf32>
        }
        %a = memref.load %A[%vi, %vk] : memref<7x5xf32>
        %c = memref.load %C[%vi] : memref<7xf32>
        %s = arith.addf %c, %a : f32
        memref.store %s, %C[%vi] : memref<7xf32>
      }
    }
  }
  return
}

// 0 * infinity is not 0.
func.func @c6_infinite(%A: memref<7x5xf32>, %B: memref<7xf32>, %C: memref<7xf32>)
    attributes {refused = "pad_einsum 'S' in %f factors [4, 4]"} {
  loop.for serial %i in 7 {
    loop.for serial %k in 5 {
      // expected-error @+1 {{pad_einsum: found no padding values for the reads of schedule block "S" that leave its reduction unchanged, whatever else it reads; proof "assume" takes it as true (C6)}}
      loop.block "S" [%vi: spatial 7, %vk: reduce 5] = (%i, %k) reads(%A[%vi : 1, %vk : 1], %B[%vi : 1]) writes(%C[%vi : 1]) reducer(add, 0.0) {
        loop.init {
          %z = arith.constant 0.0 : f32
          memref.store %z, %C[%vi] : memref<7xf32>
        }
        %a = memref.load %A[%vi, %vk] : memref<7x5xf32>
        %b = memref.load %B[%vi] : memref<7xf32>
        %p = arith.mulf %a, %b : f32
        %c = memref.load %C[%vi] : memref<7xf32>
        %s = arith.addf %c, %p : f32
        memref.store %s, %C[%vi] : memref<7xf32>
      }
    }
  }
  return
}

// A square is never -0.
func.func @c6_minus_zero(%A: memref<7x5xf32>, %C: memref<7xf32>)
    attributes {refused = "pad_einsum 'S' in %f factors [4, 4]"} {
  loop.for serial %i in 7 {
    loop.for serial %k in 5 {
      // expected-error @+1 {{pad_einsum: found no padding values for the reads of schedule block "S" that leave its reduction unchanged, whatever else it reads; proof "assume" takes it as true (C6)}}
      loop.block "S" [%vi: spatial 7, %vk: reduce 5] = (%i, %k) reads(%A[%vi : 1, %vk : 1]) writes(%C[%vi : 1]) reducer(add, 0.0) {
        loop.init {
          %z = arith.constant -0.0 : f32
          memref.store %z, %C[%vi] : memref<7xf32>
        }
        %a = memref.load %A[%vi, %vk] : memref<7x5xf32>
        %p = arith.mulf %a, %a : f32
        %c = memref.load %C[%vi] : memref<7xf32>
        %s = arith.addf %c, %p : f32
        memref.store %s, %C[%vi] : memref<7xf32>
      }
    }
  }
  return
}
