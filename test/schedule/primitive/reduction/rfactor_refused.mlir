// RUN: lw-opt %s -verify-diagnostics --sched-expect-refusal

func.func @rfactor_c1_no_loop(%A: memref<4x6xi32>, %B: memref<4xi32>) attributes {refused = "rfactor 'B:j' in %f"} {
  loop.for serial %i in 4 {
    loop.for serial %k in 6 {
      // expected-error @+1 {{rfactor: there is no loop "j" around schedule block "B", there are "i", "k" (C1)}}
      loop.block "B" [%v: spatial 4, %vk: reduce 6] = (%i, %k)
          reads(%A[%v : 1, %vk : 1]) writes(%B[%v : 1]) reducer(add, 0) {
        loop.init {
          %zero = arith.constant 0 : i32
          memref.store %zero, %B[%v] : memref<4xi32>
        }
        %a = memref.load %A[%v, %vk] : memref<4x6xi32>
        %b = memref.load %B[%v] : memref<4xi32>
        %s = arith.addi %b, %a : i32
        memref.store %s, %B[%v] : memref<4xi32>
      }
    }
  }
  return
}

func.func @rfactor_c2_not_serial(%A: memref<4x6xi32>, %B: memref<4xi32>) attributes {refused = "rfactor 'B:k' in %f"} {
  loop.for serial %i in 4 {
    // expected-error @+1 {{rfactor: loop "k" is unroll, expected serial (C2)}}
    loop.for unroll %k in 6 {
      loop.block "B" [%v: spatial 4, %vk: reduce 6] = (%i, %k)
          reads(%A[%v : 1, %vk : 1]) writes(%B[%v : 1]) reducer(add, 0) {
        loop.init {
          %zero = arith.constant 0 : i32
          memref.store %zero, %B[%v] : memref<4xi32>
        }
        %a = memref.load %A[%v, %vk] : memref<4x6xi32>
        %b = memref.load %B[%v] : memref<4xi32>
        %s = arith.addi %b, %a : i32
        memref.store %s, %B[%v] : memref<4xi32>
      }
    }
  }
  return
}

func.func @rfactor_c3_no_reducer(%A: memref<4x6xi32>, %B: memref<4xi32>) attributes {refused = "rfactor 'B:k' in %f"} {
  loop.for serial %i in 4 {
    loop.for serial %k in 6 {
      // expected-error @+1 {{rfactor: schedule block "B" has no reducer with identities (C3)}}
      loop.block "B" [%v: spatial 4, %vk: reduce 6] = (%i, %k)
          reads(%A[%v : 1, %vk : 1], %B[%v : 1]) writes(%B[%v : 1]) {
        %a = memref.load %A[%v, %vk] : memref<4x6xi32>
        %b = memref.load %B[%v] : memref<4xi32>
        %s = arith.addi %b, %a : i32
        memref.store %s, %B[%v] : memref<4xi32>
      }
    }
  }
  return
}

func.func @rfactor_c3_ordered(%A: memref<4x6xi32>, %B: memref<4xi32>) attributes {refused = "rfactor 'B:k' in %f"} {
  loop.for serial %i in 4 {
    loop.for serial %k in 6 {
      // expected-error @+1 {{rfactor: schedule block "B" has no reducer with identities (C3)}}
      loop.block "B" [%v: spatial 4, %vk: reduce 6] = (%i, %k)
          reads(%A[%v : 1, %vk : 1]) writes(%B[%v : 1]) reducer(ordered) {
        loop.init {
          %zero = arith.constant 0 : i32
          memref.store %zero, %B[%v] : memref<4xi32>
        }
        %a = memref.load %A[%v, %vk] : memref<4x6xi32>
        %b = memref.load %B[%v] : memref<4xi32>
        %s = arith.addi %b, %a : i32
        memref.store %s, %B[%v] : memref<4xi32>
      }
    }
  }
  return
}

func.func @rfactor_c3_no_identity(%A: memref<4x6xi32>, %B: memref<4xi32>) attributes {refused = "rfactor 'B:k' in %f"} {
  loop.for serial %i in 4 {
    loop.for serial %k in 6 {
      // expected-error @+1 {{rfactor: the identity that schedule block "B" states for add is wrong: it changes values (C3)}}
      loop.block "B" [%v: spatial 4, %vk: reduce 6] = (%i, %k)
          reads(%A[%v : 1, %vk : 1]) writes(%B[%v : 1]) reducer(add, 1) {
        loop.init {
          %zero = arith.constant 0 : i32
          memref.store %zero, %B[%v] : memref<4xi32>
        }
        %a = memref.load %A[%v, %vk] : memref<4x6xi32>
        %b = memref.load %B[%v] : memref<4xi32>
        %s = arith.addi %b, %a : i32
        memref.store %s, %B[%v] : memref<4xi32>
      }
    }
  }
  return
}

func.func private @f(i32) -> i32
func.func @rfactor_c3_call(%A: memref<4x6xi32>, %B: memref<4xi32>) attributes {refused = "rfactor 'B:k' in %f"} {
  loop.for serial %i in 4 {
    loop.for serial %k in 6 {
      // expected-error @+1 {{rfactor: schedule block "B" calls a function, whose effects are not known (C3)}}
      loop.block "B" [%v: spatial 4, %vk: reduce 6] = (%i, %k)
          reads(%A[%v : 1, %vk : 1]) writes(%B[%v : 1]) reducer(add, 0) {
        loop.init {
          %zero = arith.constant 0 : i32
          memref.store %zero, %B[%v] : memref<4xi32>
        }
        %a = memref.load %A[%v, %vk] : memref<4x6xi32>
        %b = memref.load %B[%v] : memref<4xi32>
        %c = func.call @f(%a) : (i32) -> i32
        %s = arith.addi %b, %c : i32
        memref.store %s, %B[%v] : memref<4xi32>
      }
    }
  }
  return
}

func.func @rfactor_c4_spatial_loop(%A: memref<4x6xi32>, %B: memref<4xi32>)
    attributes {refused = "rfactor 'B:i' in %f"} {
  // expected-error @+1 {{rfactor: loop "i" is bound to no reduce iter of schedule block "B" (C4)}}
  loop.for serial %i in 4 {
    loop.for serial %k in 6 {
      loop.block "B" [%v: spatial 4, %vk: reduce 6] = (%i, %k)
          reads(%A[%v : 1, %vk : 1]) writes(%B[%v : 1]) reducer(add, 0) {
        loop.init {
          %zero = arith.constant 0 : i32
          memref.store %zero, %B[%v] : memref<4xi32>
        }
        %a = memref.load %A[%v, %vk] : memref<4x6xi32>
        %b = memref.load %B[%v] : memref<4xi32>
        %s = arith.addi %b, %a : i32
        memref.store %s, %B[%v] : memref<4xi32>
      }
    }
  }
  return
}

func.func @rfactor_c4_mixed_loop(%A: memref<4x6xi32>, %B: memref<4xi32>) attributes {refused = "rfactor 'B:f' in %f"} {
    // expected-error @+1 {{rfactor: loop "f" is bound to both reduce and other iters of schedule block "B" (C4)}}
    loop.for serial %f in 24 {
      loop.block "B" [%v: spatial 4, %vk: reduce 6] = (%f floordiv 6, %f mod 6)
          reads(%A[%v : 1, %vk : 1]) writes(%B[%v : 1]) reducer(add, 0) {
        loop.init {
          %zero = arith.constant 0 : i32
          memref.store %zero, %B[%v] : memref<4xi32>
        }
        %a = memref.load %A[%v, %vk] : memref<4x6xi32>
        %b = memref.load %B[%v] : memref<4xi32>
        %s = arith.addi %b, %a : i32
        memref.store %s, %B[%v] : memref<4xi32>
      }
    }
  return
}

func.func @rfactor_c5_axis_too_large(%A: memref<4x6xi32>, %B: memref<4xi32>)
    attributes {refused = "rfactor 'B:k' in %f factor_axis 2"} {
  loop.for serial %i in 4 {
    loop.for serial %k in 6 {
      // expected-error @+1 {{rfactor: factor axis 2 is out of range, expected -2 to 1 (C5)}}
      loop.block "B" [%v: spatial 4, %vk: reduce 6] = (%i, %k)
          reads(%A[%v : 1, %vk : 1]) writes(%B[%v : 1]) reducer(add, 0) {
        loop.init {
          %zero = arith.constant 0 : i32
          memref.store %zero, %B[%v] : memref<4xi32>
        }
        %a = memref.load %A[%v, %vk] : memref<4x6xi32>
        %b = memref.load %B[%v] : memref<4xi32>
        %s = arith.addi %b, %a : i32
        memref.store %s, %B[%v] : memref<4xi32>
      }
    }
  }
  return
}

func.func @rfactor_c5_axis_too_small(%A: memref<4x6xi32>, %B: memref<4xi32>)
    attributes {refused = "rfactor 'B:k' in %f factor_axis -3"} {
  loop.for serial %i in 4 {
    loop.for serial %k in 6 {
      // expected-error @+1 {{rfactor: factor axis -3 is out of range, expected -2 to 1 (C5)}}
      loop.block "B" [%v: spatial 4, %vk: reduce 6] = (%i, %k)
          reads(%A[%v : 1, %vk : 1]) writes(%B[%v : 1]) reducer(add, 0) {
        loop.init {
          %zero = arith.constant 0 : i32
          memref.store %zero, %B[%v] : memref<4xi32>
        }
        %a = memref.load %A[%v, %vk] : memref<4x6xi32>
        %b = memref.load %B[%v] : memref<4xi32>
        %s = arith.addi %b, %a : i32
        memref.store %s, %B[%v] : memref<4xi32>
      }
    }
  }
  return
}

func.func @rfactor_c6_branch(%A: memref<4x6xi32>, %B: memref<4xi32>) attributes {refused = "rfactor 'B:k' in %f"} {
  loop.for serial %i in 4 {
    loop.for serial %k in 6 {
      // expected-note @+1 {{it is here}}
      loop.if (%i - 1 >= 0) {
      // expected-error @+1 {{rfactor: a 'loop.if' is between loop "i" and schedule block "B" (C6)}}
      loop.block "B" [%v: spatial 4, %vk: reduce 6] = (%i, %k)
          reads(%A[%v : 1, %vk : 1]) writes(%B[%v : 1]) reducer(add, 0) {
        loop.init {
          %zero = arith.constant 0 : i32
          memref.store %zero, %B[%v] : memref<4xi32>
        }
        %a = memref.load %A[%v, %vk] : memref<4x6xi32>
        %b = memref.load %B[%v] : memref<4xi32>
        %s = arith.addi %b, %a : i32
        memref.store %s, %B[%v] : memref<4xi32>
      }
      }
    }
  }
  return
}

func.func @rfactor_c6_siblings(%A: memref<4x6xi32>, %B: memref<4xi32>) attributes {refused = "rfactor 'B:k' in %f"} {
  loop.for serial %i in 4 {
    // expected-error @+1 {{rfactor: "B" is not the only statement in loop "k" (C6)}}
    loop.for serial %k in 6 {
      loop.block "other" [] = () {}
      loop.block "B" [%v: spatial 4, %vk: reduce 6] = (%i, %k)
          reads(%A[%v : 1, %vk : 1]) writes(%B[%v : 1]) reducer(add, 0) {
        loop.init {
          %zero = arith.constant 0 : i32
          memref.store %zero, %B[%v] : memref<4xi32>
        }
        %a = memref.load %A[%v, %vk] : memref<4x6xi32>
        %b = memref.load %B[%v] : memref<4xi32>
        %s = arith.addi %b, %a : i32
        memref.store %s, %B[%v] : memref<4xi32>
      }
    }
  }
  return
}

func.func @rfactor_c6_opaque(%A: memref<4x6xi32>, %B: memref<4xi32>) attributes {refused = "rfactor 'B:k' in %f"} {
  loop.for serial %i in 4 {
    loop.for serial %k in 6 {
      // expected-error @+1 {{rfactor: iter "o" of schedule block "B" is opaque, expected spatial (C6)}}
      loop.block "B" [%v: spatial 4, %vk: reduce 6, %o: opaque 1] = (%i, %k, 0)
          reads(%A[%v : 1, %vk : 1]) writes(%B[%v : 1]) reducer(add, 0) {
        loop.init {
          %zero = arith.constant 0 : i32
          memref.store %zero, %B[%v] : memref<4xi32>
        }
        %a = memref.load %A[%v, %vk] : memref<4x6xi32>
        %b = memref.load %B[%v] : memref<4xi32>
        %s = arith.addi %b, %a : i32
        memref.store %s, %B[%v] : memref<4xi32>
      }
    }
  }
  return
}

func.func @rfactor_c6_thread(%A: memref<4x6xi32>, %B: memref<4xi32>) attributes {refused = "rfactor 'B:k' in %f"} {
  // expected-error @+1 {{rfactor: loop "i" is bound to a thread axis (C6)}}
  loop.for thread_bind[blockIdx.x] %i in 4 {
    loop.for serial %k in 6 {
      loop.block "B" [%v: spatial 4, %vk: reduce 6] = (%i, %k)
          reads(%A[%v : 1, %vk : 1]) writes(%B[%v : 1]) reducer(add, 0) {
        loop.init {
          %zero = arith.constant 0 : i32
          memref.store %zero, %B[%v] : memref<4xi32>
        }
        %a = memref.load %A[%v, %vk] : memref<4x6xi32>
        %b = memref.load %B[%v] : memref<4xi32>
        %s = arith.addi %b, %a : i32
        memref.store %s, %B[%v] : memref<4xi32>
      }
    }
  }
  return
}

func.func @rfactor_c6_another_mixed_loop(%A: memref<4x6xi32>, %B: memref<4xi32>)
    attributes {refused = "rfactor 'B:k' in %f"} {
    // expected-error @+1 {{rfactor: loop "f" is bound to both reduce and other iters of schedule block "B" (C6)}}
    loop.for serial %f in 12 {
    loop.for serial %k in 6 {
      loop.block "B" [%v: spatial 4, %vl: reduce 3, %vk: reduce 6] = (%f floordiv 3, %f mod 3, %k)
          reads(%A[%v : 1, %vk : 1]) writes(%B[%v : 1]) reducer(add, 0) {
        loop.init {
          %zero = arith.constant 0 : i32
          memref.store %zero, %B[%v] : memref<4xi32>
        }
        %a = memref.load %A[%v, %vk] : memref<4x6xi32>
        %b = memref.load %B[%v] : memref<4xi32>
        %s = arith.addi %b, %a : i32
        memref.store %s, %B[%v] : memref<4xi32>
      }
    }
  }
  return
}

func.func @rfactor_c7_triangle(%A: memref<4x6xi32>, %B: memref<4xi32>) attributes {refused = "rfactor 'B:k' in %f"} {
  loop.for serial %i in 4 {
    // expected-error @+1 {{rfactor: the extent of loop "k" is not a size that is never negative (C7)}}
    loop.for serial %k in affine_map<(d0) -> (d0 + 1)>(%i) {
      loop.block "B" [%v: spatial 4, %vk: reduce 4] = (%i, %k)
          reads(%A[%v : 1, %vk : 1]) writes(%B[%v : 1]) reducer(add, 0) {
        loop.init {
          %zero = arith.constant 0 : i32
          memref.store %zero, %B[%v] : memref<4xi32>
        }
        %a = memref.load %A[%v, %vk] : memref<4x6xi32>
        %b = memref.load %B[%v] : memref<4xi32>
        %s = arith.addi %b, %a : i32
        memref.store %s, %B[%v] : memref<4xi32>
      }
    }
  }
  return
}

func.func @rfactor_c7_dependent_extent(%A: memref<4x6xi32>, %B: memref<4xi32>)
    attributes {refused = "rfactor 'B:k' in %f"} {
  loop.for serial %k in 4 {
    // expected-error @+1 {{rfactor: the extent of loop "i" depends on loop "k" (C7)}}
    loop.for serial %i in affine_map<(d0) -> (d0 + 1)>(%k) {
      loop.block "B" [%v: spatial 4, %vk: reduce 4] = (%i, %k)
          reads(%A[%v : 1, %vk : 1]) writes(%B[%v : 1]) reducer(add, 0) {
        loop.init {
          %zero = arith.constant 0 : i32
          memref.store %zero, %B[%v] : memref<4xi32>
        }
        %a = memref.load %A[%v, %vk] : memref<4x6xi32>
        %b = memref.load %B[%v] : memref<4xi32>
        %s = arith.addi %b, %a : i32
        memref.store %s, %B[%v] : memref<4xi32>
      }
    }
  }
  return
}

func.func @rfactor_c8_place_of_reduce_iter(%A: memref<4x6xi32>, %B: memref<6xi32>)
    attributes {refused = "rfactor 'B:k' in %f"} {
  loop.for serial %i in 4 {
    loop.for serial %k in 6 {
      // expected-error @+1 {{rfactor: schedule block "B" does not store to "arg1" at indices that only its spatial iters determine (C8)}}
      loop.block "B" [%v: spatial 4, %vk: reduce 6] = (%i, %k)
          reads(%A[%v : 1, %vk : 1]) writes(%B[%vk : 1]) reducer(add, 0) {
        loop.init {
          %zero = arith.constant 0 : i32
          memref.store %zero, %B[%vk] : memref<6xi32>
        }
        %a = memref.load %A[%v, %vk] : memref<4x6xi32>
        %b = memref.load %B[%vk] : memref<6xi32>
        %s = arith.addi %b, %a : i32
        memref.store %s, %B[%vk] : memref<6xi32>
      }
    }
  }
  return
}

func.func @rfactor_c8_reads_another_cell(%A: memref<4x6xi32>, %B: memref<4xi32>)
    attributes {refused = "rfactor 'B:k' in %f"} {
  loop.for serial %i in 4 {
    loop.for serial %k in 6 {
      // expected-error @+1 {{rfactor: schedule block "B" reads "arg1", which it writes (C8)}}
      loop.block "B" [%v: spatial 4, %vk: reduce 6] = (%i, %k)
          reads(%A[0 : 4, 0 : 6], %B[0 : 1]) writes(%B[%v : 1]) reducer(add, 0) {
        loop.init {
          %zero = arith.constant 0 : i32
          memref.store %zero, %B[%v] : memref<4xi32>
        }
        %c0 = arith.constant 0 : index
        %c = memref.load %B[%c0] : memref<4xi32>
        %d = memref.load %A[%c0, %c0] : memref<4x6xi32>
        %e = arith.addi %c, %d : i32
        %a = memref.load %A[%v, %vk] : memref<4x6xi32>
        %b = memref.load %B[%v] : memref<4xi32>
        %s = arith.addi %b, %e : i32
        memref.store %s, %B[%v] : memref<4xi32>
      }
    }
  }
  return
}

func.func @rfactor_c9_no_upper_bound(%A: memref<4x6xi32>, %B: memref<4xi32>)
    attributes {refused = "rfactor 'B:k' in %f"} {
  loop.for serial %i in 4 {
    loop.for serial %k in 6 {
      // expected-error @+1 {{rfactor: schedule block "B" has a condition on loop "k" that is not an upper bound of it (C9)}}
      loop.block "B" [%v: spatial 4, %vk: reduce 6] = (%i, %k) where(-(%k mod 3) + 1 >= 0)
          reads(%A[%v : 1, %vk : 1]) writes(%B[%v : 1]) reducer(add, 0) {
        loop.init {
          %zero = arith.constant 0 : i32
          memref.store %zero, %B[%v] : memref<4xi32>
        }
        %a = memref.load %A[%v, %vk] : memref<4x6xi32>
        %b = memref.load %B[%v] : memref<4xi32>
        %s = arith.addi %b, %a : i32
        memref.store %s, %B[%v] : memref<4xi32>
      }
    }
  }
  return
}

func.func @rfactor_c9_start(%A: memref<4x6xi32>, %B: memref<4xi32>) attributes {refused = "rfactor 'B:k' in %f"} {
  loop.for serial %i in 4 {
    loop.for serial %k in 6 {
      // expected-error @+1 {{rfactor: it is not known for which points schedule block "B" starts its reduction: its predicate does more than keep reduce iters in their domain (C9)}}
      loop.block "B" [%v: spatial 4, %vk: reduce 6] = (%i, %k) where(%k - 1 >= 0)
          reads(%A[%v : 1, %vk : 1]) writes(%B[%v : 1]) reducer(add, 0) {
        loop.init {
          %zero = arith.constant 0 : i32
          memref.store %zero, %B[%v] : memref<4xi32>
        }
        %a = memref.load %A[%v, %vk] : memref<4x6xi32>
        %b = memref.load %B[%v] : memref<4xi32>
        %s = arith.addi %b, %a : i32
        memref.store %s, %B[%v] : memref<4xi32>
      }
    }
  }
  return
}

func.func @rfactor_c10_instances(%A: memref<4x6xi32>, %B: memref<4xi32>) attributes {refused = "rfactor 'B:k' in %f"} {
  loop.for serial %i in 4 {
    loop.for serial %k in 6 {
      // expected-error @+1 {{rfactor: cannot prove that the iterations of loop "i" are different instances of schedule block "B"; proof "assume" takes it as true (C10)}}
      loop.block "B" [%v: spatial 4, %vk: reduce 6] = (%i floordiv 2, %k)
          reads(%A[%v : 1, %vk : 1]) writes(%B[%v : 1]) reducer(add, 0) {
        loop.init {
          %zero = arith.constant 0 : i32
          memref.store %zero, %B[%v] : memref<4xi32>
        }
        %a = memref.load %A[%v, %vk] : memref<4x6xi32>
        %b = memref.load %B[%v] : memref<4xi32>
        %s = arith.addi %b, %a : i32
        memref.store %s, %B[%v] : memref<4xi32>
      }
    }
  }
  return
}

func.func @rfactor_c10_cells(%A: memref<4x6xi32>, %B: memref<4xi32>) attributes {refused = "rfactor 'B:k' in %f"} {
  loop.for serial %i in 4 {
    loop.for serial %k in 6 {
      // expected-error @+1 {{rfactor: cannot prove that the instances of schedule block "B" write different cells of "arg1"; proof "assume" takes it as true (C10)}}
      loop.block "B" [%v: spatial 4, %vk: reduce 6] = (%i, %k)
          reads(%A[%v : 1, %vk : 1]) writes(%B[%v floordiv 2 : 1]) reducer(add, 0) {
        loop.init {
          %half = affine.apply affine_map<(d0) -> (d0 floordiv 2)>(%v)
          %zero = arith.constant 0 : i32
          memref.store %zero, %B[%half] : memref<4xi32>
        }
        %half = affine.apply affine_map<(d0) -> (d0 floordiv 2)>(%v)
        %a = memref.load %A[%v, %vk] : memref<4x6xi32>
        %b = memref.load %B[%half] : memref<4xi32>
        %s = arith.addi %b, %a : i32
        memref.store %s, %B[%half] : memref<4xi32>
      }
    }
  }
  return
}

func.func @rfactor_c11_strict(%A: memref<4x6x2xf32>, %B: memref<4xf32>)
    attributes {refused = "rfactor 'B:k' in %f proof 'assume'"} {
  loop.for serial %i in 4 {
    loop.for serial %k in 6 {
      loop.for serial %l in 2 {
        // expected-error @+1 {{rfactor: schedule block "B" reduces floats by add, whose order matters to the last bit: to allow it, the function must have loop.fp = "reassoc" or "fast" (C11)}}
        loop.block "B" [%v: spatial 4, %vk: reduce 6, %vl: reduce 2] = (%i, %k, %l)
            reads(%A[%v : 1, %vk : 1, %vl : 1]) writes(%B[%v : 1]) reducer(add, 0.0) {
          loop.init {
            %zero = arith.constant 0.0 : f32
            memref.store %zero, %B[%v] : memref<4xf32>
          }
          %a = memref.load %A[%v, %vk, %vl] : memref<4x6x2xf32>
          %b = memref.load %B[%v] : memref<4xf32>
          %s = arith.addf %b, %a : f32
          memref.store %s, %B[%v] : memref<4xf32>
        }
      }
    }
  }
  return
}

func.func @rfactor_c11_first_of_equals(%A: memref<3x6xf32>, %B: memref<1xf32>, %I: memref<1xi64>)
    attributes {refused = "rfactor 'B:k' in %f"} {
  loop.for serial %j in 3 {
    // expected-error @+1 {{rfactor: schedule block "B" keeps the first of equal values: loop "k" must be the outermost reduction loop: no 'loop.init' gives its index a number as start value; proof "assume" takes it as true (C11)}}
    loop.for serial %k in 6 {
      loop.block "B" [%vj: reduce 3, %vk: reduce 6] = (%j, %k)
          reads(%A[%vj : 1, %vk : 1], %B[0 : 1], %I[0 : 1]) writes(%B[0 : 1], %I[0 : 1]) reducer(argmax, 0xFF800000, 0) {
        %c0 = arith.constant 0 : index
        %a = memref.load %A[%vj, %vk] : memref<3x6xf32>
        %b = memref.load %B[%c0] : memref<1xf32>
        %at = memref.load %I[%c0] : memref<1xi64>
        %here = arith.index_cast %vk : index to i64
        %more = arith.cmpf ogt, %a, %b : f32
        %max = arith.select %more, %a, %b : f32
        %new = arith.select %more, %here, %at : i64
        memref.store %max, %B[%c0] : memref<1xf32>
        memref.store %new, %I[%c0] : memref<1xi64>
      }
    }
  }
  return
}

func.func @rfactor_c11_unordered_comparison(%A: memref<3x6xf32>, %B: memref<1xf32>, %I: memref<1xi64>)
    attributes {refused = "rfactor 'B:j' in %f"} {
  loop.for serial %j in 3 {
    loop.for serial %k in 6 {
      // expected-error @+1 {{rfactor: the result of schedule block "B" depends on the order if there are NaNs; proof "assume" takes it as true (C11)}}
      loop.block "B" [%vj: reduce 3, %vk: reduce 6] = (%j, %k)
          reads(%A[%vj : 1, %vk : 1], %B[0 : 1], %I[0 : 1]) writes(%B[0 : 1], %I[0 : 1]) reducer(argmax, 0xFF800000, 0) {
        %c0 = arith.constant 0 : index
        %a = memref.load %A[%vj, %vk] : memref<3x6xf32>
        %b = memref.load %B[%c0] : memref<1xf32>
        %at = memref.load %I[%c0] : memref<1xi64>
        %here = arith.index_cast %vk : index to i64
        %more = arith.cmpf ugt, %a, %b : f32
        %max = arith.select %more, %a, %b : f32
        %new = arith.select %more, %here, %at : i64
        memref.store %max, %B[%c0] : memref<1xf32>
        memref.store %new, %I[%c0] : memref<1xi64>
      }
    }
  }
  return
}

func.func @rfactor_c11_maximum_of_nans(%A: memref<3x6xf32>, %B: memref<1xf32>, %I: memref<1xi64>)
    attributes {refused = "rfactor 'B:j' in %f"} {
  loop.for serial %j in 3 {
    loop.for serial %k in 6 {
      // expected-error @+1 {{rfactor: the result of schedule block "B" depends on the order if there are NaNs; proof "assume" takes it as true (C11)}}
      loop.block "B" [%vj: reduce 3, %vk: reduce 6] = (%j, %k)
          reads(%A[%vj : 1, %vk : 1], %B[0 : 1], %I[0 : 1]) writes(%B[0 : 1], %I[0 : 1]) reducer(argmax, 0xFF800000, 0) {
        %c0 = arith.constant 0 : index
        %a = memref.load %A[%vj, %vk] : memref<3x6xf32>
        %b = memref.load %B[%c0] : memref<1xf32>
        %at = memref.load %I[%c0] : memref<1xi64>
        %here = arith.index_cast %vk : index to i64
        %more = arith.cmpf ogt, %a, %b : f32
        %max = arith.maximumf %a, %b : f32
        %new = arith.select %more, %here, %at : i64
        memref.store %max, %B[%c0] : memref<1xf32>
        memref.store %new, %I[%c0] : memref<1xi64>
      }
    }
  }
  return
}

func.func @rfactor_c12_input_is_written(%A: memref<4x6xi32>, %B: memref<4xi32>)
    attributes {refused = "rfactor 'B:k' in %f"} {
  loop.for serial %i in 4 {
    // expected-note @+1 {{the other is here}}
    loop.block "writer" [%v: spatial 4] = (%i) writes(%A[%v : 1, 0 : 1]) {
      %one = arith.constant 1 : i32
      %c0 = arith.constant 0 : index
      memref.store %one, %A[%v, %c0] : memref<4x6xi32>
    }
    loop.for serial %k in 6 {
      // expected-error @+1 {{rfactor: schedule blocks "B" and "writer" both access "arg0", which one of them writes: "B" and "writer"; proof "assume" takes it as true (C12)}}
      loop.block "B" [%v: spatial 4, %vk: reduce 6] = (%i, %k)
          reads(%A[%v : 1, %vk : 1]) writes(%B[%v : 1]) reducer(add, 0) {
        loop.init {
          %zero = arith.constant 0 : i32
          memref.store %zero, %B[%v] : memref<4xi32>
        }
        %a = memref.load %A[%v, %vk] : memref<4x6xi32>
        %b = memref.load %B[%v] : memref<4xi32>
        %s = arith.addi %b, %a : i32
        memref.store %s, %B[%v] : memref<4xi32>
      }
    }
  }
  return
}

// A reduction whose start is elsewhere.
func.func @rfactor_c9_rest(%A: memref<4x3x5xi32>, %B: memref<4xi32>)
    attributes {refused = "rfactor 'B:k' in %f factor_axis 0"} {
  loop.for serial %i in 4 {
    loop.for serial %j in 1 {
      loop.for serial %k in 5 {
        // expected-error @+1 {{rfactor: reduce iter "vj" of schedule block "B" is not 0 at its first instance, so that partial results would not start (C9)}}
        loop.block "B" [%vi: spatial 4, %vj: reduce 3, %vk: reduce 5] = (%i, %j + 2, %k)
            reads(%A[%vi : 1, %vj : 1, %vk : 1], %B[%vi : 1]) writes(%B[%vi : 1]) reducer(add, 0) {
          %b = memref.load %B[%vi] : memref<4xi32>
          %a = memref.load %A[%vi, %vj, %vk] : memref<4x3x5xi32>
          %s = arith.addi %b, %a : i32
          memref.store %s, %B[%vi] : memref<4xi32>
        }
      }
    }
  }
  return
}

func.func @rfactor_c7_shared_iter(%A: memref<30xi32>, %B: memref<i32>) attributes {refused = "rfactor 'B:k' in %f"} {
  loop.for serial %k in 4 {
    // expected-error @+1 {{rfactor: the extent of loop "l" is not a size that is never negative (C7)}}
    loop.for serial %l in min affine_map<(d0) -> (8, d0 * -8 + 30)>(%k) {
      loop.block "B" [%vk: reduce 30] = (%k * 8 + %l) reads(%A[%vk : 1]) writes(%B[]) reducer(add, 0) {
        loop.init {
          %zero = arith.constant 0 : i32
          memref.store %zero, %B[] : memref<i32>
        }
        %a = memref.load %A[%vk] : memref<30xi32>
        %b = memref.load %B[] : memref<i32>
        %s = arith.addi %b, %a : i32
        memref.store %s, %B[] : memref<i32>
      }
    }
  }
  return
}

func.func @rfactor_c3_nest(%A: memref<4x6xi32>, %B: memref<4xi32>) attributes {refused = "rfactor 'N:k' in %f"} {
  loop.for serial %k in 6 {
    // expected-error @+1 {{rfactor: schedule block "N" has a nest as its body (C3)}}
    loop.block "N" [%n: reduce 6] = (%k) reads(%A[0 : 4, %n : 1], %B[0 : 4]) writes(%B[0 : 4]) {
      loop.for serial %i in 4 {
        loop.block "B" [%v: spatial 4] = (%i) reads(%A[%v : 1, %n : 1], %B[%v : 1]) writes(%B[%v : 1]) {
          %a = memref.load %A[%v, %n] : memref<4x6xi32>
          %b = memref.load %B[%v] : memref<4xi32>
          %s = arith.addi %b, %a : i32
          memref.store %s, %B[%v] : memref<4xi32>
        }
      }
    }
  }
  return
}

func.func @rfactor_c7_minimum(%A: memref<4x6xi32>, %B: memref<4xi32>) attributes {refused = "rfactor 'B:k' in %f"} {
  loop.for serial %i in 4 {
    // expected-error @+1 {{rfactor: the extent of loop "k" is not a size that is never negative (C7)}}
    loop.for serial %k in min affine_map<(d0) -> (3, d0 + 1)>(%i) {
      loop.block "B" [%v: spatial 4, %vk: reduce 6] = (%i, %k)
          reads(%A[%v : 1, %vk : 1]) writes(%B[%v : 1]) reducer(add, 0) {
        loop.init {
          %zero = arith.constant 0 : i32
          memref.store %zero, %B[%v] : memref<4xi32>
        }
        %a = memref.load %A[%v, %vk] : memref<4x6xi32>
        %b = memref.load %B[%v] : memref<4xi32>
        %s = arith.addi %b, %a : i32
        memref.store %s, %B[%v] : memref<4xi32>
      }
    }
  }
  return
}

// Without the removed loop, the condition would exclude terms of its other iterations.
func.func @rfactor_c9_not_weakest(%A: memref<4x6xi32>, %B: memref<4xi32>) attributes {refused = "rfactor 'B:k' in %f"} {
  loop.for serial %i in 4 {
    loop.for serial %j in 2 {
      loop.for serial %k in 3 {
      // expected-error @+1 {{rfactor: schedule block "B" has a condition on loop "k" that is not an upper bound of it (C9)}}
      loop.block "B" [%v: spatial 4, %vk: reduce 6] = (%i, %j * 3 + %k) where(%i + %j - 1 >= 0)
          reads(%A[%v : 1, %vk : 1]) writes(%B[%v : 1]) reducer(add, 0) {
        loop.init {
          %zero = arith.constant 0 : i32
          memref.store %zero, %B[%v] : memref<4xi32>
        }
        %a = memref.load %A[%v, %vk] : memref<4x6xi32>
        %b = memref.load %B[%v] : memref<4xi32>
        %s = arith.addi %b, %a : i32
        memref.store %s, %B[%v] : memref<4xi32>
      }
      }
    }
  }
  return
}
