// RUN: lw-opt %s -verify-diagnostics --sched-expect-refusal

// expected-error @+1 {{decompose_reduction: there is no schedule block "C", there are "B" (C1)}}
func.func @decompose_c1_no_block(%A: memref<4x6xi32>, %B: memref<4xi32>)
    attributes {refused = "decompose_reduction 'C' in %f loop 'B:k'"} {
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

func.func @decompose_c1_no_loop(%A: memref<4x6xi32>, %B: memref<4xi32>)
    attributes {refused = "decompose_reduction 'B' in %f loop 'B:j'"} {
  loop.for serial %i in 4 {
    loop.for serial %k in 6 {
      // expected-error @+1 {{decompose_reduction: there is no loop "j" around schedule block "B", there are "i", "k" (C1)}}
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

func.func @decompose_c2_no_start(%A: memref<4x6xi32>, %B: memref<4xi32>)
    attributes {refused = "decompose_reduction 'B' in %f loop 'B:k'"} {
  loop.for serial %i in 4 {
    loop.for serial %k in 6 {
      // expected-error @+1 {{decompose_reduction: schedule block "B" has no 'loop.init' (C2)}}
      loop.block "B" [%v: spatial 4, %vk: reduce 6] = (%i, %k)
          reads(%A[%v : 1, %vk : 1], %B[%v : 1]) writes(%B[%v : 1]) reducer(add, 0) {
        %a = memref.load %A[%v, %vk] : memref<4x6xi32>
        %b = memref.load %B[%v] : memref<4xi32>
        %s = arith.addi %b, %a : i32
        memref.store %s, %B[%v] : memref<4xi32>
      }
    }
  }
  return
}

func.func @decompose_c3_loop_elsewhere(%A: memref<4x6xi32>, %B: memref<4xi32>)
    attributes {refused = "decompose_reduction 'B' in %f loop 'other:i'"} {
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
  // expected-error @+1 {{decompose_reduction: loop "i" does not enclose schedule block "B" (C3)}}
  loop.for serial %i in 4 { loop.block "other" [%v: spatial 4] = (%i) {} }
  return
}

func.func @decompose_c3_branch_between(%A: memref<4x6xi32>, %B: memref<4xi32>)
    attributes {refused = "decompose_reduction 'B' in %f loop 'B:k'"} {
  loop.for serial %i in 4 {
    loop.for serial %k in 6 {
      // expected-note @+1 {{it is here}}
      loop.if (%i - 1 >= 0) {
      // expected-error @+1 {{decompose_reduction: a 'loop.if' is between loop "k" and schedule block "B" (C3)}}
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

func.func @decompose_c4_reduces_outside(%A: memref<4x6xi32>, %B: memref<4xi32>)
    attributes {refused = "decompose_reduction 'B' in %f loop 'B:k'"} {
  loop.for serial %i in 4 {
    // expected-note @+1 {{the outer loop is here}}
    loop.for serial %l in 2 {
    // expected-error @+1 {{decompose_reduction: loop "l" around loop "k" is a reduction loop of schedule block "B" too: the initialization must precede both (C4)}}
    loop.for serial %k in 6 {
      loop.block "B" [%v: spatial 4, %vl: reduce 2, %vk: reduce 6] = (%i, %l, %k)
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

func.func @decompose_c5_thread(%A: memref<4x6xi32>, %B: memref<4xi32>)
    attributes {refused = "decompose_reduction 'B' in %f loop 'B:k'"} {
  loop.for serial %k in 6 {
    // expected-error @+1 {{decompose_reduction: loop "i" is bound to a thread axis (C5)}}
    loop.for thread_bind[threadIdx.x] %i in 4 {
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

func.func @decompose_c5_dependent_extent(%A: memref<4x6xi32>, %B: memref<4xi32>)
    attributes {refused = "decompose_reduction 'B' in %f loop 'B:k'"} {
  loop.for serial %k in 4 {
    // expected-error @+1 {{decompose_reduction: the extent of loop "i" depends on loop "k" (C5)}}
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

func.func @decompose_c6_start(%A: memref<4x6xi32>, %B: memref<4xi32>)
    attributes {refused = "decompose_reduction 'B' in %f loop 'B:k'"} {
  loop.for serial %i in 4 {
    loop.for serial %k in 6 {
      // expected-error @+1 {{decompose_reduction: it is not known for which points schedule block "B" starts its reduction: its predicate does more than keep reduce iters in their domain (C6)}}
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

func.func @decompose_c6_condition_on_mixed_loop(%A: memref<4x6xi32>, %B: memref<4xi32>)
    attributes {refused = "decompose_reduction 'B' in %f loop 'B:f'"} {
    // expected-error @+1 {{decompose_reduction: loop "f" is bound to both reduce and other iters of schedule block "B" (C6)}}
    loop.for serial %f in 24 {
      loop.block "B" [%v: spatial 4, %vk: reduce 6] = (%f floordiv 6, %f mod 6) where(-%f + 20 >= 0)
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

func.func @decompose_c7_instances(%A: memref<4x6xi32>, %B: memref<4xi32>)
    attributes {refused = "decompose_reduction 'B' in %f loop 'B:k'"} {
  loop.for serial %i in 4 {
    loop.for serial %k in 6 {
      // expected-error @+1 {{decompose_reduction: cannot prove that the iterations of loop "k" are different instances of schedule block "B"; proof "assume" takes it as true (C7)}}
      loop.block "B" [%v: spatial 4, %vk: reduce 6] = (%i, %k floordiv 2)
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

func.func @decompose_c7_cells(%A: memref<4x6xi32>, %B: memref<4xi32>)
    attributes {refused = "decompose_reduction 'B' in %f loop 'B:i'"} {
  loop.for serial %i in 4 {
    loop.for serial %k in 6 {
      // expected-error @+1 {{decompose_reduction: cannot prove that the instances of schedule block "B" write different cells of "arg1"; proof "assume" takes it as true (C7)}}
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

func.func @decompose_c8_another_block(%A: memref<4x6xi32>, %B: memref<4xi32>, %C: memref<4xi32>)
    attributes {refused = "decompose_reduction 'B' in %f loop 'B:i'"} {
  loop.for serial %i in 4 {
    // expected-note @+1 {{the other is here}}
    loop.block "reader" [%v: spatial 4] = (%i) reads(%B[%v : 1]) writes(%C[%v : 1]) {
      %b = memref.load %B[%v] : memref<4xi32>
      memref.store %b, %C[%v] : memref<4xi32>
    }
    loop.for serial %k in 6 {
      // expected-error @+1 {{decompose_reduction: schedule blocks "B" and "reader" both access "arg1", which one of them writes: "B" and "reader"; proof "assume" takes it as true (C8)}}
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

// The updates of a point must not change elements that the start of another point reads.
func.func @decompose_c8_own_start(%A: memref<4x6xi32>, %B: memref<4xi32>)
    attributes {refused = "decompose_reduction 'B' in %f loop 'B:i'"} {
  loop.for serial %i in 4 {
    loop.for serial %k in 6 {
      // expected-note @+2 {{the other is here}}
      // expected-error @+1 {{decompose_reduction: schedule blocks "B" and "B" both access "arg1", which one of them writes: "B" and "B"; proof "assume" takes it as true (C8)}}
      loop.block "B" [%v: spatial 4, %vk: reduce 6] = (%i, %k)
          reads(%A[%v : 1, %vk : 1], %B[%v : 1]) writes(%B[%v : 1]) reducer(add, 0) {
        loop.init {
          %old = memref.load %B[%v] : memref<4xi32>
          %twice = arith.addi %old, %old : i32
          memref.store %twice, %B[%v] : memref<4xi32>
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

func.func @decompose_c5_own_buffers(%A: memref<4x6xi32>)
    attributes {refused = "decompose_reduction 'B' in %f loop 'B:i'"} {
  %B = loop.buffer "B" scope(local) : memref<4xi32>
  loop.for parallel %i in 4 {
    loop.for serial %k in 6 {
      // expected-error @+1 {{decompose_reduction: schedule block "B" accesses "B" of scope local: each iteration would have its own (C5)}}
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

// The reduction continues across instances of the outer schedule block.
func.func @decompose_c4_outer_iter(%A: memref<4x6xi32>, %B: memref<4xi32>)
    attributes {refused = "decompose_reduction 'B' in %f loop 'B:u'"} {
  loop.for serial %i in 4 {
    loop.for serial %k in 6 {
      // expected-note @+1 {{the outer schedule block is here}}
      loop.block "O" [%x: spatial 4, %y: reduce 6] = (%i, %k) reads(%A[%x : 1, %y : 1], %B[%x : 1]) writes(%B[%x : 1]) {
        loop.for serial %u in 1 {
          // expected-error @+1 {{decompose_reduction: iter "y" of schedule block "O" binds a reduce iter of schedule block "B" too: the initialization must precede both (C4)}}
          loop.block "B" [%v: spatial 4, %vk: reduce 6] = (%x, %y)
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
  }
  return
}
