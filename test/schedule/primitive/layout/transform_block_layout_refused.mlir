// RUN: lw-opt %s -verify-diagnostics --sched-expect-refusal

// expected-error @+1 {{transform_block_layout: there is no schedule block "C", there are "B" (C1)}}
func.func @c1_no_block(%A: memref<30x64xf32>, %B: memref<30x64xf32>)
    attributes {refused = "transform_block_layout 'C' in %f index_map '(i, j) -> (j, i)'"} {
  loop.for serial %i in 30 {
    loop.for serial %j in 64 {
      loop.block "B" [%v: spatial 30, %w: spatial 64] = (%i, %j) reads(%A[%v : 1, %w : 1]) writes(%B[%v : 1, %w : 1]) {
        %a = memref.load %A[%v, %w] : memref<30x64xf32>
        memref.store %a, %B[%v, %w] : memref<30x64xf32>
      }
    }
  }
  return
}

func.func @c2_predicate(%A: memref<30x64xf32>, %B: memref<30x64xf32>)
    attributes {refused = "transform_block_layout 'B' in %f index_map '(i, j) -> (j, i)'"} {
  loop.for serial %i in 30 {
    loop.for serial %j in 64 {
      // expected-error @+1 {{transform_block_layout: schedule block "B" is not bound to loops one by one: it has a predicate (C2)}}
      loop.block "B" [%v: spatial 30, %w: spatial 64] = (%i, %j) where(-%i + 20 >= 0) reads(%A[%v : 1, %w : 1]) writes(%B[%v : 1, %w : 1]) {
        %a = memref.load %A[%v, %w] : memref<30x64xf32>
        memref.store %a, %B[%v, %w] : memref<30x64xf32>
      }
    }
  }
  return
}

func.func @c2_bound(%A: memref<30x64xf32>, %B: memref<30x64xf32>)
    attributes {refused = "transform_block_layout 'B' in %f index_map '(i, j) -> (j, i)'"} {
  loop.for serial %i in 30 {
    loop.for serial %j in 63 {
      // expected-error @+1 {{transform_block_layout: schedule block "B" is not bound to loops one by one: iter "w" is not bound to a loop of its own (C2)}}
      loop.block "B" [%v: spatial 30, %w: spatial 64] = (%i, %j + 1) reads(%A[%v : 1, %w : 1]) writes(%B[%v : 1, %w : 1]) {
        %a = memref.load %A[%v, %w] : memref<30x64xf32>
        memref.store %a, %B[%v, %w] : memref<30x64xf32>
      }
    }
  }
  return
}

func.func @c2_extent(%A: memref<30x64xf32>, %B: memref<30x64xf32>)
    attributes {refused = "transform_block_layout 'B' in %f index_map '(i, j) -> (j, i)'"} {
  loop.for serial %i in 30 {
    loop.for serial %j in 63 {
      // expected-error @+1 {{transform_block_layout: schedule block "B" is not bound to loops one by one: loop "j" has a different extent than iter "w" (C2)}}
      loop.block "B" [%v: spatial 30, %w: spatial 64] = (%i, %j) reads(%A[%v : 1, %w : 1]) writes(%B[%v : 1, %w : 1]) {
        %a = memref.load %A[%v, %w] : memref<30x64xf32>
        memref.store %a, %B[%v, %w] : memref<30x64xf32>
      }
    }
  }
  return
}

func.func @c2_kind(%A: memref<30x64xf32>, %B: memref<30x64xf32>)
    attributes {refused = "transform_block_layout 'B' in %f index_map '(i, j) -> (j, i)'"} {
  loop.for parallel %i in 30 {
    loop.for serial %j in 64 {
      // expected-error @+1 {{transform_block_layout: schedule block "B" is not bound to loops one by one: loop "i" is not serial, or has annotations (C2)}}
      loop.block "B" [%v: spatial 30, %w: spatial 64] = (%i, %j) reads(%A[%v : 1, %w : 1]) writes(%B[%v : 1, %w : 1]) {
        %a = memref.load %A[%v, %w] : memref<30x64xf32>
        memref.store %a, %B[%v, %w] : memref<30x64xf32>
      }
    }
  }
  return
}

func.func @c2_nearest(%A: memref<30x64xf32>, %B: memref<30x64xf32>)
    attributes {refused = "transform_block_layout 'B' in %f index_map '(i, j) -> (j, i)'"} {
  loop.for serial %i in 30 {
    loop.for serial %r in 2 {
      loop.for serial %j in 64 {
        // expected-error @+1 {{transform_block_layout: schedule block "B" is not bound to loops one by one: loop "i" is not one of the innermost loops around it (C2)}}
        loop.block "B" [%v: spatial 30, %w: spatial 64] = (%i, %j) reads(%A[%v : 1, %w : 1]) writes(%B[%v : 1, %w : 1]) {
          %a = memref.load %A[%v, %w] : memref<30x64xf32>
          memref.store %a, %B[%v, %w] : memref<30x64xf32>
        }
      }
    }
  }
  return
}

func.func @c2_no_iters(%B: memref<1xf32>)
    attributes {refused = "transform_block_layout 'B' in %f index_map '() -> (0)'"} {
  // expected-error @+1 {{transform_block_layout: schedule block "B" is not bound to loops one by one: it has no iters (C2)}}
  loop.block "B" [] = () writes(%B[0 : 1]) {
    %c0 = arith.constant 0 : index
    %a = arith.constant 1.0 : f32
    memref.store %a, %B[%c0] : memref<1xf32>
  }
  return
}

func.func @c2_alone(%A: memref<30x64xf32>, %B: memref<30x64xf32>)
    attributes {refused = "transform_block_layout 'B' in %f index_map '(i, j) -> (j, i)'"} {
  loop.for serial %i in 30 {
    loop.block "E" [] = () {}
    loop.for serial %j in 64 {
      // expected-error @+1 {{transform_block_layout: schedule block "B" is not bound to loops one by one: it is not the only statement in loop "i" (C2)}}
      loop.block "B" [%v: spatial 30, %w: spatial 64] = (%i, %j) reads(%A[%v : 1, %w : 1]) writes(%B[%v : 1, %w : 1]) {
        %a = memref.load %A[%v, %w] : memref<30x64xf32>
        memref.store %a, %B[%v, %w] : memref<30x64xf32>
      }
    }
  }
  return
}

func.func @c3_rank(%A: memref<30x64xf32>, %B: memref<30x64xf32>)
    attributes {refused = "transform_block_layout 'B' in %f index_map '(i) -> (i)'"} {
  loop.for serial %i in 30 {
    loop.for serial %j in 64 {
      // expected-error @+1 {{transform_block_layout: the map takes 1 indices, "B" has 2 (C3)}}
      loop.block "B" [%v: spatial 30, %w: spatial 64] = (%i, %j) reads(%A[%v : 1, %w : 1]) writes(%B[%v : 1, %w : 1]) {
        %a = memref.load %A[%v, %w] : memref<30x64xf32>
        memref.store %a, %B[%v, %w] : memref<30x64xf32>
      }
    }
  }
  return
}

func.func @c4_digits(%A: memref<30x64xf32>, %B: memref<30x64xf32>)
    attributes {refused = "transform_block_layout 'B' in %f index_map '(i, j) -> (i * 65 + j)'"} {
  loop.for serial %i in 30 {
    loop.for serial %j in 64 {
      // expected-error @+1 {{transform_block_layout: result 0 of the map is not a mixed-radix number of digits of the iters (C4)}}
      loop.block "B" [%v: spatial 30, %w: spatial 64] = (%i, %j) reads(%A[%v : 1, %w : 1]) writes(%B[%v : 1, %w : 1]) {
        %a = memref.load %A[%v, %w] : memref<30x64xf32>
        memref.store %a, %B[%v, %w] : memref<30x64xf32>
      }
    }
  }
  return
}

func.func @c4_not_onto(%A: memref<30x64xf32>, %B: memref<30x64xf32>)
    attributes {refused = "transform_block_layout 'B' in %f index_map '(i, j) -> (i floordiv 4, i mod 4, j)'"} {
  loop.for serial %i in 30 {
    loop.for serial %j in 64 {
      // expected-error @+1 {{transform_block_layout: the digits in the map do not cover iter 0, each of them once: the map is not injective, or its image is not a box (C4)}}
      loop.block "B" [%v: spatial 30, %w: spatial 64] = (%i, %j) reads(%A[%v : 1, %w : 1]) writes(%B[%v : 1, %w : 1]) {
        %a = memref.load %A[%v, %w] : memref<30x64xf32>
        memref.store %a, %B[%v, %w] : memref<30x64xf32>
      }
    }
  }
  return
}

func.func @c4_not_one_to_one(%A: memref<30x64xf32>, %B: memref<30x64xf32>)
    attributes {refused = "transform_block_layout 'B' in %f index_map '(i, j) -> (j)'"} {
  loop.for serial %i in 30 {
    loop.for serial %j in 64 {
      // expected-error @+1 {{transform_block_layout: the digits in the map do not cover iter 0, each of them once: the map is not injective, or its image is not a box (C4)}}
      loop.block "B" [%v: spatial 30, %w: spatial 64] = (%i, %j) reads(%A[%v : 1, %w : 1]) writes(%B[%v : 1, %w : 1]) {
        %a = memref.load %A[%v, %w] : memref<30x64xf32>
        memref.store %a, %B[%v, %w] : memref<30x64xf32>
      }
    }
  }
  return
}

func.func @c4_dynamic(%A: memref<?x64xf32>, %B: memref<?x64xf32>)
    attributes {refused = "transform_block_layout 'B' in %f index_map '(i, j) -> (i floordiv 4, i mod 4, j)'"} {
  %c0 = arith.constant 0 : index
  %n = memref.dim %A, %c0 : memref<?x64xf32>
  loop.for serial %i in %n {
    loop.for serial %j in 64 {
      // expected-error @+1 {{transform_block_layout: the digits in the map do not cover iter 0, each of them once: the map is not injective, or its image is not a box (C4)}}
      loop.block "B" [%v: spatial %n, %w: spatial 64] = (%i, %j) reads(%A[%v : 1, %w : 1]) writes(%B[%v : 1, %w : 1]) {
        %a = memref.load %A[%v, %w] : memref<?x64xf32>
        memref.store %a, %B[%v, %w] : memref<?x64xf32>
      }
    }
  }
  return
}

func.func @c5_negative(%A: memref<?x64xf32>, %B: memref<?x64xf32>)
    attributes {refused = "transform_block_layout 'B' in %f index_map '(i, j) -> (i * 64 + j)'"} {
  %c0 = arith.constant 0 : index
  %n = memref.dim %A, %c0 : memref<?x64xf32>
  loop.for serial %i in affine_map<()[s0] -> (s0 - 2)>()[%n] {
    loop.for serial %j in 64 {
      // expected-error @+1 {{transform_block_layout: the domain of iter "v" may be negative (C5)}}
      loop.block "B" [%v: spatial %n - 2, %w: spatial 64] = (%i, %j) reads(%A[%v : 1, %w : 1]) writes(%B[%v : 1, %w : 1]) {
        %a = memref.load %A[%v, %w] : memref<?x64xf32>
        memref.store %a, %B[%v, %w] : memref<?x64xf32>
      }
    }
  }
  return
}

func.func @c6_roles(%A: memref<30x64xf32>, %S: memref<30xf32>)
    attributes {refused = "transform_block_layout 'B' in %f index_map '(i, j) -> (i * 64 + j)'"} {
  loop.for serial %i in 30 {
    loop.for serial %j in 64 {
      // expected-error @+1 {{transform_block_layout: result 0 of the map combines iters of schedule block "B" of different roles, or opaque ones (C6)}}
      loop.block "B" [%v: spatial 30, %w: reduce 64] = (%i, %j) reads(%A[%v : 1, %w : 1]) writes(%S[%v : 1]) reducer(add, 0.0) {
        loop.init {
          %zero = arith.constant 0.0 : f32
          memref.store %zero, %S[%v] : memref<30xf32>
        }
        %a = memref.load %A[%v, %w] : memref<30x64xf32>
        %s = memref.load %S[%v] : memref<30xf32>
        %t = arith.addf %s, %a : f32
        memref.store %t, %S[%v] : memref<30xf32>
      }
    }
  }
  return
}

func.func @c7_strict(%A: memref<30x64xf32>, %S: memref<30xf32>)
    attributes {refused = "transform_block_layout 'B' in %f index_map '(i, k) -> (i, k mod 8, k floordiv 8)'"} {
  loop.for serial %i in 30 {
    loop.for serial %j in 64 {
      // expected-error @+1 {{transform_block_layout: schedule block "B" reduces floats by add, whose order matters to the last bit: to allow it, the function must have loop.fp = "reassoc" or "fast": iterations i = 0, j = 1 of "B" (reads) and iterations i = 0, j = 56 of "B" (writes) both access "arg1"[0] (C7)}}
      loop.block "B" [%v: spatial 30, %w: reduce 64] = (%i, %j) reads(%A[%v : 1, %w : 1]) writes(%S[%v : 1]) reducer(add, 0.0) {
        loop.init {
          %zero = arith.constant 0.0 : f32
          memref.store %zero, %S[%v] : memref<30xf32>
        }
        %a = memref.load %A[%v, %w] : memref<30x64xf32>
        %s = memref.load %S[%v] : memref<30xf32>
        %t = arith.addf %s, %a : f32
        memref.store %t, %S[%v] : memref<30xf32>
      }
    }
  }
  return
}

func.func @c7_order(%A: memref<30x64xf32>, %O: memref<93xf32>)
    attributes {refused = "transform_block_layout 'B' in %f index_map '(i, j) -> (j, i)'"} {
  loop.for serial %i in 30 {
    loop.for serial %j in 64 {
      // expected-error @+1 {{transform_block_layout: it is not proved that the instances of schedule block "B" may run in the order of its new iters: iterations i = 0, j = 6 of "B" (writes) and iterations i = 1, j = 5 of "B" (writes) both access "arg1"[6] (C7)}}
      loop.block "B" [%v: opaque 30, %w: opaque 64] = (%i, %j) reads(%A[%v : 1, %w : 1]) writes(%O[%v + %w : 1]) {
        %x = affine.apply affine_map<(d0, d1) -> (d0 + d1)>(%v, %w)
        %a = memref.load %A[%v, %w] : memref<30x64xf32>
        memref.store %a, %O[%x] : memref<93xf32>
      }
    }
  }
  return
}

func.func @c4_too_far(%O: memref<1xf32>)
    attributes {refused = "transform_block_layout 'B' in %f index_map '(i, j) -> (i * 2147483648 + j)'"} {
  loop.for serial %i in 2147483648 {
    loop.for serial %j in 2147483648 {
      // expected-error @+1 {{transform_block_layout: the cells would be too far apart for an index (C4)}}
      loop.block "B" [%v: spatial 2147483648, %w: spatial 2147483648] = (%i, %j) writes(%O[0 : 1]) {
        %x = arith.constant 1.0 : f32
        %o = arith.constant 0 : index
        memref.store %x, %O[%o] : memref<1xf32>
      }
    }
  }
  return
}

// The order of the iters is not that of the loops, so the map changes the order of the instances.
func.func @c7_order_of_loops(%I: memref<4x6xi32>, %O: memref<24xi32>)
    attributes {refused = "transform_block_layout 'B' in %f index_map '(i, j) -> (i * 6 + j)'"} {
  loop.for serial %j in 6 {
    loop.for serial %i in 4 {
      // expected-error @+1 {{(C7)}}
      loop.block "B" [%v: spatial 4, %w: spatial 6] = (%i, %j) reads(%I[%v : 1, %w : 1]) writes(%O[0 : 24]) {
        %a = memref.load %I[%v, %w] : memref<4x6xi32>
        %at = arith.index_cast %a : i32 to index
        %n = arith.index_cast %w : index to i32
        memref.store %n, %O[%at] : memref<24xi32>
      }
    }
  }
  return
}
